#if PostgreSQL
import Foundation
import Synchronization

/// Stands between a program and the server, and cuts a connection after a number of messages of the protocol.
///
/// It understands no more of the protocol than where messages end, and works without TLS.
final class CuttingProxy: Sendable {
    enum Direction: Sendable {
        case toServer
        case toClient
    }

    private struct Cut {
        var direction: Direction
        /// Messages that still pass.
        var messages: Int
        /// Whether the last one that passes is cut in its middle.
        var isInMiddle: Bool
    }

    /// Kinds of messages, by the byte that each begins with, that came by while a cut was to come, and those that were cut.
    struct Kinds: Sendable, Equatable {
        var seen: Set<String> = []
        var cut: Set<String> = []
    }

    private let cut = Mutex<Cut?>(nil)
    private let kinds = Mutex(Kinds())
    private let listener: Int32
    private let serverPort: UInt16
    let port: UInt16

    init(toPort serverPort: UInt16) throws {
        self.serverPort = serverPort
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(listener, pointer, length) == 0, listen(listener, 64) == 0,
                    getsockname(listener, pointer, &length) == 0
                else { return nil }
                return UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self).sin_port.bigEndian
            }
        }
        guard let port else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.port = port
        Thread { [self] in accept() }.start()
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }

    /// Cuts the next connection over which so many messages have passed from now on; once.
    func arm(_ direction: Direction, after messages: Int, inMiddle isInMiddle: Bool = false) {
        cut.withLock { $0 = Cut(direction: direction, messages: messages, isInMiddle: isInMiddle) }
    }

    /// - Returns: Whether the cut was still to come.
    @discardableResult
    func disarm() -> Bool {
        cut.withLock { cut in
            defer { cut = nil }
            return cut != nil
        }
    }

    /// The kinds since the last call.
    func takeKinds() -> Kinds {
        kinds.withLock { kinds in
            defer { kinds = Kinds() }
            return kinds
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(serverPort)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else {
                Foundation.close(client)
                Foundation.close(server)
                continue
            }
            let pair = Pair(client: client, server: server)
            Thread { [self] in pump(client, server, .toServer, pair) }.start()
            Thread { [self] in pump(server, client, .toClient, pair) }.start()
        }
    }

    /// The two ends of a connection, closed when both directions have ended.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32

        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

        func cut() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }

        deinit {
            Foundation.close(client)
            Foundation.close(server)
        }
    }

    private func pump(_ source: Int32, _ target: Int32, _ direction: Direction, _ pair: Pair) {
        defer { pair.cut() }
        var buffer: [UInt8] = []
        // The first message of a client has no type.
        var isStart = direction == .toServer
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            buffer += chunk[0..<count]
            var passed = 0
            while let length = Self.messageLength(buffer[passed...], isStart: isStart) {
                let kind = isStart ? "start" : String(UnicodeScalar(buffer[passed]))
                isStart = false
                switch step(direction, kind) {
                case .pass: passed += length
                case .cut(let isInMiddle):
                    let end = passed + (isInMiddle ? length / 2 : 0)
                    _ = Self.send(Array(buffer[0..<end]), to: target)
                    // What was sent is to arrive before the end.
                    usleep(2_000)
                    return
                }
            }
            guard Self.send(Array(buffer[0..<passed]), to: target) else { return }
            buffer.removeFirst(passed)
        }
    }

    private enum Step {
        case pass
        case cut(inMiddle: Bool)
    }

    private func step(_ direction: Direction, _ kind: String) -> Step {
        cut.withLock { cut in
            guard var armed = cut, armed.direction == direction else { return .pass }
            let name = "\(direction) \(kind)"
            kinds.withLock { _ = $0.seen.insert(name) }
            guard armed.messages == 0 else {
                armed.messages -= 1
                cut = armed
                return .pass
            }
            cut = nil
            kinds.withLock { _ = $0.cut.insert(name) }
            return .cut(inMiddle: armed.isInMiddle)
        }
    }

    /// The length of the first message; nil while it is not there as a whole.
    private static func messageLength(_ bytes: ArraySlice<UInt8>, isStart: Bool) -> Int? {
        let head = isStart ? 0 : 1
        guard bytes.count >= head + 4 else { return nil }
        let start = bytes.startIndex + head
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + head
        return bytes.count >= length ? length : nil
    }

    private static func send(_ bytes: [UInt8], to target: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}
#endif
