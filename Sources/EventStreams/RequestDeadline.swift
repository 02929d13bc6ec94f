#if Inspector || Server
package import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request isn't complete in time, or when the server ends; answers a request with two hosts.
///
/// A request whose head has come is waited for by a server that ends, however little of its body has.
package final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundOut = HTTPResponsePart

    private let timeout: TimeAmount
    private var deadline: Scheduled<Void>?

    package init(_ timeout: Duration) { self.timeout = TimeAmount(timeout) }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.headerFields[.otherHost] != nil { return refuse(context) }
            begin(context)
        case .body: break
        case .end: end()
        }
        context.fireChannelRead(data)
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, deadline != nil { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func begin(_ context: ChannelHandlerContext) {
        end()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    private func end() {
        deadline?.cancel()
        deadline = nil
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let fields: HTTPFields = [.connection: "close", .contentLength: "0"]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .badRequest, headerFields: fields))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }
}

extension HTTPField.Name {
    /// The field of a host; the first one of a request isn't among its fields, but its authority.
    package static let otherHost: HTTPField.Name = {
        guard let name = HTTPField.Name("Host") else { fatalError("Host is the name of a header.") }
        return name
    }()
}
#endif
