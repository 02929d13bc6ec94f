#if PostgreSQL
import Foundation
import OpenCoreData
import Testing

@testable import OpenCoreDataPostgreSQL

/// What a server says once it has been given a password is not always about the password.
@Suite struct LoginTests {
    /// Asks one client for a password and then ends the connection with an error. Returns the port.
    private static func server(code: String, message: String) throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(listener, pointer, length) == 0, listen(listener, 1) == 0,
                    getsockname(listener, pointer, &length) == 0
                else { return nil }
                return UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self).sin_port.bigEndian
            }
        }
        let fields = "SFATAL\0VFATAL\0C\(code)\0M\(message)\0\0".utf8
        let size = UInt32(fields.count + 4).bigEndian
        let error = [UInt8(ascii: "E")] + withUnsafeBytes(of: size) { Array($0) } + fields
        Thread {
            let client = accept(listener, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 1_024)
            _ = read(client, &bytes, bytes.count)
            _ = write(client, [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3], 9)
            _ = read(client, &bytes, bytes.count)
            _ = write(client, error, error.count)
            close(client)
            close(listener)
        }.start()
        return try #require(port)
    }

    @Test(arguments: [
        ("57P03", "the database system is shutting down", PostgreSQLError.Kind.cannotConnect),
        ("57P03", "the database system is not yet accepting connections", .cannotConnect),
        ("57P01", "terminating connection due to administrator command", .cannotConnect),
        ("53300", "sorry, too many clients already", .outOfResources),
        ("28P01", "password authentication failed for user \"ada\"", .accessDenied),
        ("42501", "permission denied for database \"books\"", .accessDenied),
    ]) func theKindIsThatOfWhatTheServerSays(_ code: String, _ message: String, _ kind: PostgreSQLError.Kind) throws {
        let port = try Self.server(code: code, message: message)
        let url = "postgresql://ada:secret@127.0.0.1:\(port)/books?sslmode=disable"
        let error = #expect(throws: PostgreSQLError.self) { _ = try PostgreSQLConnection(PostgreSQLAddress(url)) }
        #expect(error?.kind == kind)
        #expect(error?.description.contains(message) == true)
        #expect(error?.description.contains("secret") == false)
    }
}
#endif
