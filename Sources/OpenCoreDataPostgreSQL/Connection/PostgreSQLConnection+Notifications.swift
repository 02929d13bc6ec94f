#if PostgreSQL
import CPostgreSQL
import Foundation

/// A notification sent with NOTIFY.
package struct PostgreSQLNotification: Sendable, Hashable {
    package let channel: String
    package let payload: String
    /// The process of the server that serves who sent it.
    package let serverProcess: Int32
}

extension PostgreSQLConnection {
    /// Waits until something comes from the server or on another file descriptor, or a time is over.
    ///
    /// - Throws: `PostgreSQLError` when the connection is lost.
    package func wait(orUntilReadable descriptor: Int32, milliseconds: Int) throws {
        let pointer = try usable()
        var descriptors = [
            pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, Int32(clamping: milliseconds))
        if descriptors[0].revents != 0, PQconsumeInput(pointer) == 0 { throw lostError() }
    }

    /// What has come in the meantime on channels that this connection listens to.
    package func notifications() -> [PostgreSQLNotification] {
        guard let pointer, !isBroken else { return [] }
        var found: [PostgreSQLNotification] = []
        while let notification = PQnotifies(pointer) {
            found.append(
                PostgreSQLNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra),
                    serverProcess: notification.pointee.be_pid))
            PQfreemem(notification)
        }
        return found
    }

    /// Listens to a channel, whose name has letters, digits and underscores.
    package func listen(to channel: String) throws {
        try execute(
            "LISTEN \"\(channel.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })\"",
            isPrepared: false)
    }
}
#endif
