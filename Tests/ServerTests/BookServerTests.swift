#if Server
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The example server, as a process.
@Suite struct BookServerTests {
    /// Who asks the server.
    private struct Client: Sendable {
        let address: String

        func ask(
            _ path: String, _ method: String = "GET", _ body: String? = nil, token: String? = nil
        ) async throws -> (Int, String) {
            var request = URLRequest(url: try #require(URL(string: address + path)))
            request.httpMethod = method
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            request.httpBody = body.map { Data($0.utf8) }
            if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
            let (data, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
        }
    }

    private final class Server {
        let process = Process()
        let address: String
        /// The address of the inspector, with its token; nil in a build without it.
        let inspector: String?

        /// - Parameter database: The URL of a schema of a PostgreSQL server; `nil` for a file in the folder.
        init(_ folder: URL, database: String? = nil) throws {
            process.executableURL = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
                .deletingLastPathComponent().appendingPathComponent("BookServer")
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["PORT": "0", "BOOKS_FOLDER": folder.path]) { $1 }
            process.environment?["DATABASE_URL"] = database
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let lines = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                .split(separator: "\n")
            func after(_ label: String) -> String? {
                lines.first { $0.hasPrefix(label) }.map { String($0.dropFirst(label.count)) }
            }
            address = after("BookServer: ") ?? ""
            inspector = after("Inspector: ")
        }

        func ask(
            _ path: String, _ method: String = "GET", _ body: String? = nil, token: String? = nil
        ) async throws -> (Int, String) {
            try await Client(address: address).ask(path, method, body, token: token)
        }

        func end() -> Int32 {
            process.terminate()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    private static let solaris = #"{"isbn":"978-1","title":"Solaris","author":"Lem","pages":204,"price":9.5}"#

    @Test(.timeLimit(.minutes(5))) func booksAreMadeReadChangedAndDeleted() async throws {
        let folder = try TemporaryFolder()
        let server = try Server(folder.url)
        defer { _ = server.end() }
        #expect(try await server.ask("books").1 == "[]")
        #expect(try await server.ask("books", "POST", Self.solaris).0 == 201)
        let (status, book) = try await server.ask("books/978-1")
        #expect(status == 200 && book.contains(#""author":"Lem""#) && book.contains(#""price":9.5"#), "\(book)")
        #expect(try await server.ask("books/978-1", "PUT", #"{"pages":205}"#).1.contains(#""pages":205"#))
        #expect(try await server.ask("books?title=SOL").1.contains("978-1"))
        #expect(try await server.ask("books", "POST", #"{"isbn":"9/8 ?","title":"A","author":"Lem"}"#).0 == 201)
        #expect(try await server.ask("books/9%2F8%20%3F", "DELETE").0 == 204)
        #expect(try await server.ask("books/978-1", "DELETE").0 == 204)
        #expect(try await server.ask("books/978-1").0 == 404)
        #expect(try await server.ask("health").1 == "ok\n")
    }

    #if Inspector
    @Test(.timeLimit(.minutes(5))) func theInspectorOfItsDatabaseIsMounted() async throws {
        let folder = try TemporaryFolder()
        let server = try Server(folder.url)
        defer { _ = server.end() }
        _ = try await server.ask("books", "POST", Self.solaris)
        let token = try #require(server.inspector?.split(separator: "=").last.map(String.init))
        #expect(server.inspector == "\(server.address)inspector/?token=\(token)")
        #expect(try await server.ask("inspector/api/counts").0 == 401)
        let (status, counts) = try await server.ask("inspector/api/counts", token: token)
        #expect(status == 200 && counts.contains(#""Book": 1"#), "\(counts)")
    }
    #endif

    @Test(.timeLimit(.minutes(5))) func wrongRequestsAreTheClientsErrorsAndChangeNothing() async throws {
        let folder = try TemporaryFolder()
        let server = try Server(folder.url)
        defer { _ = server.end() }
        _ = try await server.ask("books", "POST", Self.solaris)
        #expect(try await server.ask("books", "POST", "{").0 == 400)
        #expect(try await server.ask("books", "POST", #"{"title":"No number"}"#).0 == 400)
        #expect(try await server.ask("books", "POST", #"{"isbn":"2","title":" ","author":"Lem"}"#).0 == 400)
        #expect(try await server.ask("books", "POST", Self.solaris).0 == 409)
        #expect(try await server.ask("books/none", "PUT", "{}").0 == 404)
        #expect(try await server.ask("books?limit=x&offset=-7").0 == 200)
        #expect(try await server.ask("books").1.components(separatedBy: "978-1").count == 2)
    }

    @Test(.timeLimit(.minutes(5))) func ofClientsThatMakeOneBookOneIsToldThatItDid() async throws {
        let folder = try TemporaryFolder()
        try await expectOneMakerOfEachBook(try Server(folder.url))
    }

    #if PostgreSQL
    private static let postgreSQL = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

    @Test(
        .timeLimit(.minutes(5)),
        .enabled(if: postgreSQL != nil, "needs a PostgreSQL server: run the tests with Scripts/with-postgres"))
    func ofClientsOfAServerOnPostgreSQLThatMakeOneBookOneIsToldThatItDid() async throws {
        let folder = try TemporaryFolder()
        let schema = "t_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        let database = try #require(Self.postgreSQL) + "?schema=\(schema)"
        try await expectOneMakerOfEachBook(try Server(folder.url, database: database))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
    #endif

    /// Has eight clients make the same 30 books.
    private func expectOneMakerOfEachBook(_ server: Server) async throws {
        defer { _ = server.end() }
        let (client, numbers) = (Client(address: server.address), (1...30).map { "978-\($0)" })
        let answers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 0..<8 {
                group.addTask {
                    var answers: [Int] = []
                    for isbn in number % 2 == 0 ? numbers : numbers.reversed() {
                        let book = #"{"isbn":"\#(isbn)","title":"\#(number)","author":"A","pages":1,"price":1}"#
                        answers.append(try await client.ask("books", "POST", book).0)
                    }
                    return answers
                }
            }
            return try await group.reduce([], +)
        }
        #expect(answers.count { $0 == 201 } == 30 && answers.count { $0 == 409 } == 210, "\(answers)")
        #expect(try await server.ask("books?limit=500").1.components(separatedBy: "978-").count == 31)
    }

    @Test(.timeLimit(.minutes(5))) func booksAreThereAfterAnOrderlyEnd() async throws {
        let folder = try TemporaryFolder()
        let server = try Server(folder.url)
        _ = try await server.ask("books", "POST", Self.solaris)
        #expect(server.end() == 0)
        let again = try Server(folder.url)
        #expect(try await again.ask("books/978-1").0 == 200)
        _ = again.end()
    }
}
#endif
