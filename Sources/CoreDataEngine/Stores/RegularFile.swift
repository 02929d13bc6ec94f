import Foundation

/// Refuses what is no file: reading a pipe, a socket or a device waits for bytes that never come, or never ends.
enum RegularFile {
    /// - Throws: `fileReadUnknown` for anything but a regular file. Nothing at all is none of its business.
    static func require(at url: URL) throws {
        try requireFileURL(url)
        var facts = stat()
        guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileReadUnknown.rawValue,
            "“\(url.lastPathComponent)” is \(kind(facts.st_mode)), not a store.", path: url.path)
    }

    /// Refuses a URL of another kind: its path is that of something on another machine, and not that of a file here.
    ///
    /// - Throws: `NSPersistentStoreOperationError`.
    static func requireFileURL(_ url: URL) throws {
        guard !url.isFileURL else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "\(url.displayName) is no file, so there is no store's file at it.",
            userInfo: ["URL": url])
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
