#if Inspector
    import HTTPTypes
    import Hummingbird
    import ServiceLifecycle
    import StoreTools

    /// Messages as server-sent events, until the browser goes or the server stops.
    enum EventResponse {
        /// Something is sent at least so often, so that a browser that has gone is noticed.
        private static let heartbeat = Duration.seconds(10)

        private enum Event: Sendable {
            case message(JSONValue)
            case heartbeat
        }

        static func make(_ feed: ChangeFeed) -> Response {
            let body = ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 1000\nevent: hello\ndata: {}\n\n"))
                let messages = await feed.messages()
                let (events, continuation) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(128))
                let forwarding = Task {
                    for await message in messages { continuation.yield(.message(message)) }
                    continuation.finish()
                }
                let beating = Task {
                    while !Task.isCancelled {
                        try await Task.sleep(for: heartbeat)
                        continuation.yield(.heartbeat)
                    }
                }
                defer {
                    forwarding.cancel()
                    beating.cancel()
                }
                for await event in events.cancelOnGracefulShutdown() {
                    switch event {
                    case .message(let message):
                        try await writer.write(
                            ByteBuffer(string: "event: change\ndata: \(JSONText.string(of: message))\n\n"))
                    case .heartbeat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
                    }
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"], body: body)
        }
    }
#endif
