#if Server
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Testing

@testable import OpenCoreDataServer

/// Clients that don't finish what they have begun.
@Suite struct RequestTimeoutTests {
    /// Serves on a free port while a block runs.
    private func serving(_ timeout: Duration, _ body: @Sendable (UInt16) async throws -> Void) async throws {
        let (ports, continuation) = AsyncStream<UInt16>.makeStream()
        let router = Router()
        router.get("whole") { _, _ in "whole" }
        router.post("length") { request, _ in
            try await request.body.collect(upTo: 1_000).readableBytes.description
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let application = Application(
            router: router, server: .http1(requestTimeout: timeout),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield(UInt16($0.localAddress?.port ?? 0)) }, logger: logger)
        let group = ServiceGroup(services: [application], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await body(port)
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// What a server answers to some text, until it closes the connection.
    private func answer(to text: String, slowly: Bool = false, port: UInt16) async -> String {
        // The calls block, which Swift's own threads must not.
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: Self.answer(to: text, slowly: slowly, port: port)) }.start()
        }
    }

    private static func answer(to text: String, slowly: Bool, port: UInt16) -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return "no connection" }
        let bytes = Array(text.utf8)
        if slowly {
            for byte in bytes {
                guard send(descriptor, [byte], 1, Int32(MSG_NOSIGNAL)) == 1 else { break }
                usleep(20_000)
            }
        } else {
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        var answer = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    private static let post = "POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 200\r\n\r\n"

    @Test(.timeLimit(.minutes(5))) func aRequestThatIsNotCompleteInTimeIsClosed() async throws {
        try await serving(.milliseconds(400)) { port in
            #expect(await answer(to: "GET /whole HTTP/1.1\r\nHo", port: port) == "")
            #expect(await !answer(to: Self.post + "{", port: port).contains("200 OK"))
            // Each byte comes in time, the last one doesn't.
            let trickle = Self.post + String(repeating: "x", count: 100)
            #expect(await !answer(to: trickle, slowly: true, port: port).contains("200 OK"))
            let whole = await answer(
                to: "GET /whole HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: port)
            #expect(whole.hasPrefix("HTTP/1.1 200 OK") && whole.hasSuffix("whole"))
            let two = await answer(to: "GET /whole HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", port: port)
            #expect(two.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(.timeLimit(.minutes(5))) func aHalfSentRequestDoesNotKeepTheServerFromEnding() async throws {
        let began = ContinuousClock.now
        try await serving(.seconds(240)) { port in
            // Not awaited: the server ends while it waits for the rest.
            Task { await answer(to: Self.post + "{", port: port) }
            try await Task.sleep(for: .milliseconds(300))
        }
        // Well before the request's time is up, on a busy machine too.
        #expect(began.duration(to: .now) < .seconds(120))
    }
}
#endif
