#if Server
import EventStreams
public import Foundation
public import Hummingbird

/// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
public enum EventStream {
    /// What makes JSON of values unless another encoder is named: dates are in ISO 8601, as in the answers of
    /// Hummingbird's routes, so that one `Codable` value has one form.
    public static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    /// A response that sends each document as an event, until the client goes or the server stops.
    ///
    /// Documents are whole states, so a slow client misses older ones: two wait at most.
    ///
    /// - Parameters:
    ///   - documents: What to send; text without line breaks, such as JSON.
    ///   - name: The name of the events.
    /// - Returns: The response, whose body is the stream of events.
    public static func response(
        _ documents: @escaping @Sendable () async -> AsyncStream<Data>, event name: String = "list"
    ) -> Response {
        // Each document is the whole list: an older one that still waits is of no use.
        ServerSentEvents.response(documents, event: name, buffered: 2)
    }
}

extension LiveFeed {
    /// The list as server-sent events: as it is now, and whole after each change.
    ///
    /// Each call is a response for one client, beginning with the present list. A slow client misses older lists. The
    /// response ends when the client goes or the server stops.
    ///
    /// - Returns: The response, whose body is the stream of events.
    nonisolated public func response() -> Response { EventStream.response { await self.documents } }
}
#endif
