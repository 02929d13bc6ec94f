import Foundation

/// Writes files so that after a crash there is either the whole file or none.
enum DurableFile {
    /// Writes a new file: first under another name, flushed to disk, then renamed, and the folder flushed. The new file
    /// gets the permissions of the one that it replaces.
    ///
    /// The other name is unique. A process that is killed leaves its file behind; see `removeDrafts(of:)`.
    ///
    /// - Parameter draft: The other name, if no other process uses the file's own name.
    static func write(_ data: Data, to url: URL, draft: URL? = nil) throws {
        let folder = url.deletingLastPathComponent()
        let draft =
            draft ?? folder.appendingPathComponent(draftPrefix(of: url) + UUID().uuidString + draftSuffix)
        do {
            let permissions = FilePermissions.of(url)
            try writeAll(data, to: draft, mode: permissions ?? 0o666)
            if let permissions { FilePermissions.set(permissions, of: draft) }
            try synchronize(file: draft)
            try move(draft, over: url)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw error
        }
        synchronize(folder: folder)
    }

    /// Writes a file from its beginning.
    ///
    /// It doesn't use `Data.write(to:)`, which continues with the wrong bytes after a system call that wrote only a
    /// part.
    private static func writeAll(_ data: Data, to url: URL, mode: mode_t) throws {
        #if os(Windows) || PORTABLE
        try data.write(to: url)
        #else
        let descriptor = try RegularFile.open(url.path, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        defer { close(descriptor) }
        try writeAll(data, to: descriptor)
        #endif
    }

    #if !os(Windows)
    private static func writeAll(_ data: Data, to descriptor: Int32) throws {
        try data.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                // A call takes at most 2 GiB.
                let part = UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(1 << 30))
                let count = pwrite(descriptor, part.baseAddress, part.count, off_t(offset))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw SystemError.last() }
                offset += count
            }
        }
    }

    /// Writes an open file from its beginning, in place, and flushes it.
    static func replaceAll(_ data: Data, in descriptor: Int32) throws {
        try writeAll(data, to: descriptor)
        guard ftruncate(descriptor, off_t(data.count)) == 0, fsync(descriptor) == 0 else {
            throw SystemError.last()
        }
    }
    #endif

    /// Gives a file the name of another, which it takes the place of in one step.
    static func move(_ draft: URL, over url: URL) throws {
        #if os(Windows)
        // There `rename` of the C library refuses a name that is taken.
        if FileManager.default.fileExists(atPath: url.path) {
            _ = try FileManager.default.replaceItemAt(url, withItemAt: draft)
        } else {
            try FileManager.default.moveItem(at: draft, to: url)
        }
        #else
        guard rename(draft.path, url.path) == 0 else { throw SystemError.last() }
        #endif
    }

    // MARK: Drafts

    private static let draftSuffix = ".new"

    private static func draftPrefix(of url: URL) -> String { hiddenName(of: url) + "." }

    /// What the names of hidden files beside a file begin with: its own name, unless that leaves no room for more.
    static func hiddenName(of url: URL) -> String {
        let name = url.lastPathComponent
        guard name.utf8.count > longestName else { return "." + name }
        return "." + SHA256.hash(Data(name.utf8)).prefix(16).map { String(format: "%02x", $0) }.joined()
    }

    /// File systems have names of 255 bytes, and a draft's takes 42 more.
    private static let longestName = 200

    /// Where a file that only one writer ever writes is written before it has its name.
    static func draft(of url: URL) -> URL {
        url.deletingLastPathComponent().appendingPathComponent("." + url.lastPathComponent + draftSuffix)
    }

    /// Removes what killed writers of a file have left beside it.
    ///
    /// - Parameters:
    ///   - url: The file. If the age is 0, no other process may write it in the meantime.
    ///   - age: How old a draft has to be, in seconds.
    static func removeDrafts(of url: URL, olderThan age: TimeInterval = 0) {
        let folder = url.deletingLastPathComponent()
        let prefix = draftPrefix(of: url)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard name.hasPrefix(prefix), name.hasSuffix(draftSuffix),
                UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(draftSuffix.count))) != nil
            else { continue }
            let draft = folder.appendingPathComponent(name)
            if age > 0 {
                let written = (try? FileManager.default.attributesOfItem(atPath: draft.path))?[.modificationDate]
                guard let written = written as? Date, written.timeIntervalSinceNow < -age else { continue }
            }
            try? FileManager.default.removeItem(at: draft)
        }
    }

    // MARK: Flushing

    /// Flushes the entries of a folder.
    ///
    /// Not every system can; then the file itself is safe nevertheless.
    static func synchronize(folder: URL) {
        #if !os(Windows) && !PORTABLE
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
        #endif
    }

    /// Flushes a file that others have written.
    ///
    /// - Throws: The system's error (`NSPOSIXErrorDomain`).
    static func synchronize(file: URL) throws {
        #if os(Windows)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.synchronize()
        #else
        let descriptor = open(file.path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError.last() }
        defer { close(descriptor) }
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw SystemError.last() }
        }
        #endif
    }
}
