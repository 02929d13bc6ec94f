package import Foundation

/// Files that a user names, to be read.
package enum InputFile {
    /// The file at `path`, which has to be there, and no pipe or device, whose bytes would come once or never end.
    ///
    /// - Parameter orFolder: Whether a folder will do.
    package static func url(_ path: String, orFolder: Bool = false) throws -> URL {
        switch try facts(path)?.kind {
        case .file?: break
        case .folder? where orFolder: break
        case nil: throw ToolFailure("There is no file at \(path).")
        case .link?: throw ToolFailure("\(path) is a link to a file that does not exist.")
        case let kind?: throw ToolFailure("\(path) is \(kind.rawValue), not a file.")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ToolFailure("The file \(path) cannot be read: permission denied.")
        }
        return URL(fileURLWithPath: path)
    }

    private static func facts(_ path: String) throws -> FileFacts? {
        do throws(SystemFailure) {
            return try FileFacts(path: path)
        } catch {
            throw ToolFailure("The file \(path) cannot be read: \(error).")
        }
    }
}
