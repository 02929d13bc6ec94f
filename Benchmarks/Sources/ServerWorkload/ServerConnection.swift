import Foundation
import RawPostgreSQL

/// A connection of the raw baseline.
final class ServerConnection {
    let pointer: OpaquePointer

    init(_ url: URL) throws {
        var server: OpaquePointer?
        let failed = rawServerConnect(url.absoluteString, &server) != 0
        guard let server else { throw ServerFailure(message: "out of memory") }
        pointer = server
        if failed { throw failure }
    }

    deinit {
        rawServerClose(pointer)
    }

    var failure: ServerFailure { ServerFailure(message: String(cString: rawServerMessage(pointer))) }

    /// - Throws: What the server said, unless the code is 0.
    func check(_ code: Int32) throws {
        if code != 0 { throw failure }
    }
}

/// What the server said when something failed.
public struct ServerFailure: Error, CustomStringConvertible {
    public let message: String

    public var description: String { "PostgreSQL: \(message)" }
}
