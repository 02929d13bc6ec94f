#if Inspector && CommandLineTool
import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The command `serve`, as a process.
struct ServeCommandTests {
    private static let executable = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
        .deletingLastPathComponent().appendingPathComponent("opencoredata")

    private func serve(_ arguments: String...) throws -> (process: Process, output: Pipe, errors: Pipe) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = Self.executable
        process.arguments = ["serve"] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return (process, output, errors)
    }

    @Test func `the command prints an address on this machine, and ends when asked to`() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.sqlite")
        let coordinator = try InspectedLibrary.open(url)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let before = try Data(contentsOf: url)
        let (process, output, _) = try serve(url.path)
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line.wholeMatch(of: /Open http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{64}\n/) != nil, "\(line)")
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try Data(contentsOf: url) == before)
    }

    /// A connection to a server on this machine, for what no client of HTTP sends.
    private final class RawConnection {
        private let descriptor: Int32

        init(port: UInt16, _ text: String) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            try #require(isConnected)
            _ = text.withCString { write(descriptor, $0, strlen($0)) }
        }

        /// What comes next; empty at the end of the connection.
        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        deinit { close(descriptor) }
    }

    @Test(.timeLimit(.minutes(5))) func `requests that no browser sends don't keep the server from ending`() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Library.sqlite")
        let coordinator = try InspectedLibrary.open(url)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let (process, output, _) = try serve(url.path, "--write")
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let match = try #require(line.firstMatch(of: /:(\d+)\/\?token=([0-9a-f]+)/))
        let port = try #require(UInt16(match.1))
        let fields = "Authorization: Bearer \(match.2)\r\nContent-Type: application/json\r\n"
        let twice = try RawConnection(
            port: port,
            "GET /api/info HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n")
        #expect(twice.read().hasPrefix("HTTP/1.1 400 "))
        let head = try RawConnection(port: port, "GET /api/info HTTP/1.1\r\nHost: 127.0.0.1:")
        let body = try RawConnection(
            port: port,
            "POST /api/preview HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)Content-Length: 100\r\n\r\n{")
        // The server has read what was sent once it answers another request.
        let whole = try RawConnection(
            port: port, "GET /api/info HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n")
        #expect(whole.read().hasPrefix("HTTP/1.1 200 "))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(head.read() == "" && !body.read().hasPrefix("HTTP/1.1 200"))
    }

    @Test func `what is no store is refused in a sentence`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Notes.txt")
        try Data("no store".utf8).write(to: file)
        let (process, _, errors) = try serve(file.path)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        let string = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(string.hasPrefix("opencoredata: ") && string.contains("Notes.txt"), "\(string)")
    }
}
#endif
