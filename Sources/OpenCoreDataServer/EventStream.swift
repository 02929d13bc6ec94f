#if Server
    public import Foundation
    import HTTPTypes
    public import Hummingbird
    import NIOCore
    import ServiceLifecycle

    /// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    public enum EventStream {
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
        public static func response(
            _ documents: @escaping @Sendable () async -> AsyncStream<Data>, event name: String = "list"
        ) -> Response {
            let body = ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                for await part in parts(await documents()).cancelOnGracefulShutdown() {
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

        private static func parts(_ documents: AsyncStream<Data>) -> AsyncStream<Part> {
            let (parts, continuation) = AsyncStream<Part>.makeStream(bufferingPolicy: .bufferingNewest(2))
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

    extension LiveFeed {
        /// The list as server-sent events: as it is now, and whole after each change.
        nonisolated public func response() -> Response { EventStream.response { await self.documents } }
    }
#endif
