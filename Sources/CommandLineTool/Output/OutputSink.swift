import Foundation
import StoreTools

/// Where a command writes its result: standard output or a file.
///
/// A file appears under its name only when `finish()` has been called, so that a failed or killed export leaves what
/// was there before.
final class OutputSink: TextOutput {
    private static let bufferSize = 1 << 16

    private var descriptor: Int32
    /// Where the file is to be; `nil` for standard output and for what is written to as it is.
    private let location: OutputLocation?
    /// The path of a device or the like.
    private let devicePath: String?
    private var pager: Pager?
    private var temporary: String?
    private var buffer: [UInt8] = []
    /// Whether the output goes to the screen.
    let isTerminal: Bool

    /// Writes to standard output.
    init() {
        descriptor = STDOUT_FILENO
        location = nil
        devicePath = nil
        isTerminal = isatty(STDOUT_FILENO) == 1
    }

    /// Writes to `path`, or to standard output when the path is "-". A device is written to as it is.
    ///
    /// - Parameters:
    ///   - force: Whether a file that is there may be replaced.
    ///   - inputs: What the command reads, which is never replaced.
    /// - Throws: `ToolFailure` that names the file.
    convenience init(path: String, force: Bool, inputs: [URL]) throws {
        guard path != "-" else {
            self.init()
            return
        }
        if let device = try OutputDevice(path: path) {
            self.init(device, path: path)
        } else {
            try self.init(location: try OutputLocation(path, force: force, inputs: inputs))
        }
    }

    private init(_ device: OutputDevice, path: String) {
        descriptor = device.descriptor
        location = nil
        devicePath = path
        isTerminal = isatty(device.descriptor) == 1
    }

    private init(location: OutputLocation) throws {
        self.location = location
        devicePath = nil
        isTerminal = false
        Interruption.watch()
        let name = ".\(location.url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).partial"
        let temporary = location.url.deletingLastPathComponent().appendingPathComponent(name).path
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(SystemFailure.last(), location) }
        self.temporary = temporary
        if let permissions = location.permissions { fchmod(descriptor, permissions) }
    }

    deinit {
        pager?.wait()
        if devicePath != nil { close(descriptor) }
        guard let temporary else { return }
        close(descriptor)
        unlink(temporary)
    }

    /// The columns of the terminal that the output goes to; nil for any other output.
    var columns: Int? { isTerminal ? TerminalSize.columns(of: STDOUT_FILENO) : nil }

    /// Lets the user's pager show what is written from now on, if standard output is a terminal and there is one.
    func startPager() {
        guard isTerminal, devicePath == nil, pager == nil, let pager = Pager() else { return }
        self.pager = pager
        descriptor = pager.descriptor
    }

    /// What became of the file of an output that was not finished, as a sentence.
    var outcome: String {
        guard let location else { return "The output is incomplete." }
        return location.permissions == nil
            ? "Nothing was written to \(location.path)." : "The file \(location.path) is unchanged."
    }

    /// Writes what programs read: exactly as it is.
    func write(_ string: String) throws {
        buffer.append(contentsOf: string.utf8)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes UTF-8 that programs read: exactly as it is.
    func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes a line for people, safe for terminals.
    func writeLine(_ string: String) throws {
        try write(TerminalText.line(string))
        try write("\n")
    }

    /// Writes a line for people. A line that is too long for the terminal is wrapped, with the same indentation.
    func writeWrapped(_ line: String) throws {
        let indentation = String(line.prefix { $0 == " " })
        let string = String(line.dropFirst(indentation.count))
        for line in HangingText.lines(indentation, string, fitting: columns) { try writeLine(line) }
    }

    /// Writes a JSON document, which is safe for terminals as it is.
    func writeJSON(_ value: JSONValue) throws {
        try write(JSONText.string(of: value, layout: .indented))
        try write("\n")
    }

    /// Writes lines that programs read, with what ends the last one: exactly as they are, but safe on a terminal.
    func write(lines string: String, end: String) throws {
        guard isTerminal else {
            try write(string)
            return try write(end)
        }
        try write(TerminalText.lines(string))
        try write("\n")
    }

    /// Sends what is left, and gives a file its name.
    func finish() throws {
        try flush()
        pager?.wait()
        guard let temporary, let location else { return }
        do throws(SystemFailure) {
            guard fsync(descriptor) == 0 else { throw SystemFailure.last() }
        } catch {
            throw Self.failure(error, location)
        }
        try location.check()
        guard rename(temporary, location.url.path) == 0 else { throw Self.failure(SystemFailure.last(), location) }
        self.temporary = nil
        close(descriptor)
    }

    private func flush() throws {
        if location != nil { try Interruption.check() }
        guard !buffer.isEmpty else { return }
        do throws(SystemFailure) {
            try SystemFile.writeAll(buffer, to: descriptor)
        } catch {
            if error.isClosedPipe {
                // A reader who quits the pager has seen enough.
                pager?.wait()
                throw ClosedPipe()
            }
            guard let location else {
                throw ToolFailure(
                    "\(devicePath.map { "The file \($0)" } ?? "Standard output") cannot be written: \(error).")
            }
            throw Self.failure(error, location)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static func failure(_ failure: SystemFailure, _ location: OutputLocation) -> ToolFailure {
        ToolFailure("The file \(location.path) cannot be written: \(failure).")
    }
}
