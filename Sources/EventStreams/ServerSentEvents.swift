#if Inspector || Server
package import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore
import ServiceLifecycle

/// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
package enum ServerSentEvents {
    /// Something is sent at least so often, so that a client that has gone is noticed.
    private static let heartbeat = Duration.seconds(10)

    private enum Part: Sendable {
        case document(Data)
        case heartbeat
    }

    /// A response that sends each document as an event, until the client goes or the server stops.
    ///
    /// - Parameters:
    ///   - documents: What to send; text without line breaks, such as JSON.
    ///   - name: The name of the events.
    ///   - opening: What is sent first, behind how long the client waits before it connects again.
    ///   - buffered: How many documents wait for a slow client at the most; the oldest are dropped.
    package static func response(
        _ documents: @escaping @Sendable () async -> AsyncStream<Data>, event name: String, opening: String = "",
        buffered: Int
    ) -> Response {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\(opening)\n"))
            let parts = parts(await documents(), buffered: buffered)
            for await part in parts.cancelOnGracefulShutdown() {
                switch part {
                case .document(let data):
                    var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
                    buffer.writeBytes(data)
                    buffer.writeString("\n\n")
                    try await writer.write(buffer)
                case .heartbeat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"], body: body)
    }

    private static func parts(_ documents: AsyncStream<Data>, buffered: Int) -> AsyncStream<Part> {
        let (parts, continuation) = AsyncStream<Part>.makeStream(bufferingPolicy: .bufferingNewest(buffered))
        let forwarding = Task {
            for await document in documents { continuation.yield(.document(document)) }
            continuation.finish()
        }
        let beating = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: heartbeat)
                continuation.yield(.heartbeat)
            }
        }
        continuation.onTermination = { _ in
            forwarding.cancel()
            beating.cancel()
        }
        return parts
    }
}
#endif
