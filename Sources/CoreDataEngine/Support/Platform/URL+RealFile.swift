package import Foundation

extension URL {
    /// The file that the URL leads to: symbolic links on the way to it, and of its own, are followed. The file need not exist.
    ///
    /// SQLite keeps a database's log beside the file that a link leads to, not beside the link.
    package var realFile: URL {
        guard isFileURL else { return self }
        #if os(Windows)
        return resolvingSymlinksInPath()
        #else
        return Self.realPath(path, links: 0).map { URL(fileURLWithPath: $0) } ?? self
        #endif
    }

    #if !os(Windows)
    /// As many links in a row as the system follows.
    private static let mostLinks = 40

    /// Foundation returns the path as it is if the file doesn't exist.
    private static func realPath(_ path: String, links: Int) -> String? {
        if let resolved = resolved(path) { return resolved }
        let url = URL(fileURLWithPath: path)
        let parent = url.deletingLastPathComponent()
        if links < mostLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
            let next = target.hasPrefix("/") ? target : parent.appendingPathComponent(target).path
            return realPath(next, links: links + 1)
        }
        return resolved(parent.path).map { ($0 == "/" ? "" : $0) + "/" + url.lastPathComponent }
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
    #endif
}
