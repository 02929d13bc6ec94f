import Foundation

/// Files that a user names, to be read.
enum InputFile {
    /// The file at `path`, which has to be there, and no pipe or device, whose bytes would come once or never end.
    ///
    /// - Parameter orFolder: Whether a folder will do.
    static func url(_ path: String, orFolder: Bool = false) throws -> URL {
        switch try facts(path)?.kind {
        case .file?: break
        case .folder? where orFolder: break
        case nil: throw CommandFailure("There is no file at \(path).")
        case .link?: throw CommandFailure("\(path) is a link to a file that does not exist.")
        case let kind?: throw CommandFailure("\(path) is \(kind.rawValue), not a file.")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure("The file \(path) cannot be read: permission denied.")
        }
        return URL(fileURLWithPath: path)
    }

    private static func facts(_ path: String) throws -> FileFacts? {
        do throws(SystemFailure) {
            return try FileFacts(path: path)
        } catch {
            throw CommandFailure("The file \(path) cannot be read: \(error).")
        }
    }
}
