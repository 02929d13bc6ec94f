import Foundation

/// Bytes of files, by the system's own calls, which say exactly why something failed.
package enum SystemFile {
    /// Writes all of `bytes`.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                start += count
            } else if errno != EINTR {
                throw SystemFailure.last()
            }
        }
    }

    /// Reads up to `count` bytes; none at the end.
    ///
    /// - Parameter checkpoint: Called again and again while there is nothing to read; an error of it ends the wait.
    /// - Throws: `SystemFailure`, and what `checkpoint` throws.
    package static func readSome(_ descriptor: Int32, upTo count: Int, checkpoint: () throws -> Void) throws -> [UInt8]
    {
        while true {
            try waitForBytes(descriptor, checkpoint)
            var result = -1
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                result = read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(0, result)
            }
            if result >= 0 { return bytes }
            guard errno == EINTR else { throw SystemFailure.last() }
        }
    }

    /// Waits in short intervals, because `read` restarts after a signal.
    private static func waitForBytes(_ descriptor: Int32, _ checkpoint: () throws -> Void) throws {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var count: Int32 = 0
        repeat {
            try checkpoint()
            count = poll(&event, 1, 100)
        } while count == 0 || (count < 0 && errno == EINTR)
    }
}
