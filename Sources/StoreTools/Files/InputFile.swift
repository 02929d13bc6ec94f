package import Foundation

/// Files that a user names, to be read.
package enum InputFile {
    /// The file at `path`, which has to be there, and no pipe or device, whose bytes would come once or never end.
    ///
    /// - Parameter orFolder: Whether a folder will do.
    package static func url(_ path: String, orFolder: Bool = false) throws -> URL {
        // What would repeat the path would repeat a password.
        guard !StoreAddress.isServer(path) else {
            throw ToolFailure("\(try StoreAddress(path).displayName) is a database on a server, not a file.")
        }
        guard !path.isEmpty else { throw ToolFailure("The name of a file is empty.") }
        switch try facts(path)?.kind {
        case .file?: break
        case .folder? where orFolder: break
        case nil: throw ToolFailure(missing(path))
        case .link?: throw ToolFailure("\(path) is a link to a file that does not exist.")
        case .folder?: throw ToolFailure(folder(path))
        case let kind?: throw ToolFailure("\(path) is \(kind.rawValue), not a file.")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ToolFailure("The file \(path) cannot be read: permission denied.")
        }
        return URL(fileURLWithPath: path)
    }

    /// A sentence about a path where nothing is, with a file beside it that is called nearly the same.
    private static func missing(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return "There is no file at \(path): its folder does not exist."
        }
        guard let near = Suggestion.nearest(to: url.lastPathComponent, among: names) else {
            return "There is no file at \(path)."
        }
        let parent = path.contains("/") ? path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex) + "/" : ""
        return "There is no file at \(path); did you mean \(parent)\(near)?"
    }

    /// A sentence about a folder where a file is expected, with the stores that are in it.
    private static func folder(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        if ["xcdatamodeld", "xcdatamodel", "momd"].contains(url.pathExtension.lowercased()) {
            return "\(path) is a model, not a store; schema shows a model."
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let stores = names.filter { StoreFacts.isDatabase(url.appendingPathComponent($0)) }.sorted()
        guard !stores.isEmpty else { return "\(path) is a folder, not a file." }
        return "\(path) is a folder, not a file; it contains \(StoreSession.listed(stores))."
    }

    private static func facts(_ path: String) throws -> FileFacts? {
        do throws(SystemFailure) {
            return try FileFacts(path: path)
        } catch {
            throw ToolFailure("The file \(path) cannot be read: \(error).")
        }
    }
}
