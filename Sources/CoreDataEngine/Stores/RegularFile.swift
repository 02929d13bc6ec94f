import Foundation

/// Refuses what is no file: reading a pipe, a socket or a device waits for bytes that never come, or never ends.
enum RegularFile {
    /// - Throws: `fileReadUnknown` for anything but a regular file. Nothing at all is none of its business.
    static func require(at url: URL) throws {
        var facts = stat()
        guard url.isFileURL, stat(url.path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileReadUnknown.rawValue,
            "“\(url.lastPathComponent)” is \(kind(facts.st_mode)), not a store.", path: url.path)
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}
