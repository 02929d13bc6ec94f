import Bookshelf
import EngineWorkload
import Foundation
import RawWorkload
import Testing

@Suite("Each operation")
struct WorkloadTests {
    static let bookCount = 10_000
    static let library = Library(bookCount: bookCount)

    @Test("gives the agreed result by the raw baseline", arguments: Bookshelf.Operation.allCases)
    func raw(operation: Bookshelf.Operation) throws {
        try check(operation) { try RawWorkload(folder: $0, bookCount: Self.bookCount) { Self.library } }
    }

    @Test("gives the agreed result by the engine", arguments: Bookshelf.Operation.allCases)
    func engine(operation: Bookshelf.Operation) throws {
        try check(operation) { try EngineWorkload(folder: $0, bookCount: Self.bookCount) { Self.library } }
    }

    private func check(_ operation: Bookshelf.Operation, _ make: (URL) throws -> any Implementation) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("workload-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let workload = try make(folder)
        try workload.buildStore()
        #expect(try workload.run(operation).result == operation.expectedResult(bookCount: Self.bookCount))
    }
}
