import Foundation

/// Reads a file whole.
enum WholeFile {
    /// All bytes of a file.
    ///
    /// A call that read a part, or was interrupted, is followed by another.
    ///
    /// - Throws: The system's error (`NSPOSIXErrorDomain`); `RegularFile.Other` for a link, a pipe and the like.
    static func read(_ url: URL) throws -> Data {
        #if os(Windows)
        return try Data(contentsOf: url)
        #else
        let descriptor = try RegularFile.open(url.path, O_RDONLY)
        defer { close(descriptor) }
        return try read(descriptor)
        #endif
    }

    #if !os(Windows)
    /// All bytes of an open file, from where it stands.
    static func read(_ descriptor: Int32) throws -> Data {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw SystemError.last() }
        // One more byte, which detects the end, because the file may grow while it is read.
        var data = Data(count: Int(clamping: facts.st_size) + 1)
        var length = 0
        while true {
            if length == data.count { data.count += max(length / 2, 4_096) }
            let count = try uninterrupted {
                data.withUnsafeMutableBytes { bytes in
                    // A call takes at most 2 GiB.
                    Foundation.read(
                        descriptor, bytes.baseAddress?.advanced(by: length), min(bytes.count - length, 1 << 30))
                }
            }
            guard count > 0 else { return data.prefix(length) }
            length += count
        }
    }

    private static func uninterrupted<Status: SignedInteger>(_ call: () -> Status) throws -> Status {
        while true {
            let status = call()
            if status >= 0 { return status }
            guard errno == EINTR else { throw SystemError.last() }
        }
    }
    #endif
}
