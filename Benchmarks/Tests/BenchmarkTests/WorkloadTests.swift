import Bookshelf
import EngineWorkload
import Foundation
import RawWorkload
import Testing

@Suite("Each operation")
struct WorkloadTests {
    static let bookCount = 10_000
    static let library = Library(bookCount: bookCount)

    static let agreed = Bookshelf.Operation.allCases.filter { $0.expectedResult(bookCount: bookCount) != nil }
    static let others = Bookshelf.Operation.allCases.filter { $0.expectedResult(bookCount: bookCount) == nil }

    @Test("gives the agreed result by the raw baseline", arguments: agreed)
    func raw(operation: Bookshelf.Operation) throws {
        #expect(try Self.rawResult(operation) == operation.expectedResult(bookCount: Self.bookCount))
    }

    @Test("gives the agreed result by the engine", arguments: agreed)
    func engine(operation: Bookshelf.Operation) throws {
        #expect(try Self.engineResult(operation) == operation.expectedResult(bookCount: Self.bookCount))
    }

    @Test("gives one result by both where none is agreed", arguments: others)
    func both(operation: Bookshelf.Operation) throws {
        #expect(try Self.engineResult(operation) == Self.rawResult(operation))
    }

    private static func rawResult(_ operation: Bookshelf.Operation) throws -> String {
        try result(operation) { try RawWorkload(folder: $0, bookCount: bookCount) { library } }
    }

    private static func engineResult(_ operation: Bookshelf.Operation) throws -> String {
        try result(operation) { try EngineWorkload(folder: $0, bookCount: bookCount) { library } }
    }

    private static func result(
        _ operation: Bookshelf.Operation, _ make: (URL) throws -> any Implementation
    ) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("workload-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let workload = try make(folder)
        try workload.buildStore()
        return try workload.run(operation).result
    }
}
