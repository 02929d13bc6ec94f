import Foundation

/// Where a command writes its result: standard output or a file.
///
/// A file appears under its name only when `finish()` has been called, so that a failed or killed export leaves what was
/// there before.
final class OutputSink {
    private static let bufferSize = 1 << 16

    private let handle: FileHandle
    private let destination: URL?
    private let temporary: URL?
    private var buffer: [UInt8] = []

    /// Writes to standard output.
    init() {
        handle = .standardOutput
        destination = nil
        temporary = nil
    }

    /// Writes to `path`, or to standard output when the path is "-".
    init(path: String) throws {
        guard path != "-" else {
            handle = .standardOutput
            destination = nil
            temporary = nil
            return
        }
        let destination = URL(fileURLWithPath: path)
        let name = ".\(destination.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).partial"
        let temporary = destination.deletingLastPathComponent().appendingPathComponent(name)
        guard FileManager.default.createFile(atPath: temporary.path, contents: nil),
            let handle = FileHandle(forWritingAtPath: temporary.path)
        else {
            throw CommandFailure("The file \(path) cannot be written: its folder is missing or not writable.")
        }
        self.handle = handle
        self.destination = destination
        self.temporary = temporary
    }

    deinit {
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func writeLine(_ text: String) throws {
        try write(text)
        try write("\n")
    }

    /// Sends what is left, and gives a file its name.
    func finish() throws {
        try flush()
        guard let temporary, let destination else { return }
        try handle.synchronize()
        try handle.close()
        guard rename(temporary.path, destination.path) == 0 else {
            throw CommandFailure(
                "The file \(destination.path) cannot be replaced: \(String(cString: strerror(errno))).")
        }
    }

    private func flush() throws {
        guard !buffer.isEmpty else { return }
        do {
            try handle.write(contentsOf: Data(buffer))
        } catch {
            let name = destination?.path ?? "standard output"
            throw CommandFailure("Writing to \(name) failed: \((error as NSError).localizedDescription)")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
