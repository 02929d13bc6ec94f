#if Inspector
import Foundation
import Testing

@testable import OpenCoreDataInspector

/// Who may use an inspector.
struct AccessTests {
    @Test func `the name of a server is told from its port`() {
        #expect(InspectorAccess.host(of: "127.0.0.1:8080") == "127.0.0.1")
        #expect(InspectorAccess.host(of: "localhost") == "localhost")
        #expect(InspectorAccess.host(of: "[::1]:80") == "[::1]")
        #expect(InspectorAccess.host(of: "127.0.0.1:80.evil.example") == "127.0.0.1:80.evil.example")
        #expect(InspectorAccess.host(of: "[::1].evil.example") == "[::1].evil.example")
    }

    @Test func `only names of this machine are allowed`() {
        let access = InspectorAccess()
        #expect(access.allows(authority: "127.0.0.1:1"))
        #expect(access.allows(authority: "LOCALHOST:65535"))
        for name in ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example", "", "127.0.0.1:99999"] {
            #expect(!access.allows(authority: name), "\(name)")
        }
        #expect(!access.allows(authority: nil))
    }

    @Test func `a token is random, compared as a whole, and hidden from logs`() throws {
        let token = AccessToken()
        #expect(token.string.count == 64)
        #expect(token.string != AccessToken().string)
        #expect(token.matches(token.string))
        for wrong in ["", String(token.string.dropLast()), token.string + "0", "x" + token.string.dropFirst()] {
            #expect(!token.matches(wrong))
        }
        #expect(!"\(token) \(String(reflecting: token))".contains(token.string))
        var dumped = ""
        dump(InspectorAccess(token: token), to: &dumped)
        #expect(!dumped.contains(token.string))
    }

    @Test func `a token that a program chooses must be long enough and plain`() throws {
        #expect(try AccessToken("0123456789abcdef").matches("0123456789abcdef"))
        #expect(throws: InspectorError.self) { try AccessToken("short") }
        #expect(throws: InspectorError.self) { try AccessToken("0123456789abcde;") }
    }
}
#endif
