import Foundation

/// Writes files so that after a crash there is either the whole file or none.
enum DurableFile {
    /// Writes a new file: first under another name, flushed to the disk, then renamed, and the folder flushed.
    static func write(_ data: Data, to url: URL) throws {
        let folder = url.deletingLastPathComponent()
        let draft = folder.appendingPathComponent("." + url.lastPathComponent + ".new")
        do {
            try data.write(to: draft)
            let handle = try FileHandle(forWritingTo: draft)
            try handle.synchronize()
            try handle.close()
            guard rename(draft.path, url.path) == 0 else { throw CoreDataError.lastSystemError() }
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
        synchronize(folder: folder)
    }

    /// Flushes the entries of a folder.
    ///
    /// Not every system can; then the file itself is safe nevertheless.
    static func synchronize(folder: URL) {
        #if !os(Windows)
            let descriptor = open(folder.path, O_RDONLY)
            guard descriptor >= 0 else { return }
            fsync(descriptor)
            close(descriptor)
        #endif
    }
}

extension DurableFile {
    /// Flushes a file that others have written.
    static func synchronize(file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.synchronize()
    }
}
