#if Server
import EventStreams
public import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1 for clients that can't be relied on: a connection whose request isn't complete in time is closed, and one
    /// whose request is half sent doesn't keep the server from ending. A request with two hosts is answered with 400.
    ///
    ///     var application = Application(router: router, server: .http1(requestTimeout: .seconds(15)))
    ///
    /// - Parameter requestTimeout: How long a request may take to be complete, and a connection to begin with one.
    public static func http1(requestTimeout: Duration) -> HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [RequestDeadline(requestTimeout)],
                idleTimeout: TimeAmount(requestTimeout)))
    }
}
#endif
