import Bookshelf
import Foundation
import RawWorkload
import Testing

@Suite("Each operation")
struct WorkloadTests {
    static let bookCount = 10_000
    static let library = Library(bookCount: bookCount)

    @Test("gives the agreed result by the raw baseline", arguments: Bookshelf.Operation.allCases)
    func raw(operation: Bookshelf.Operation) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("workload-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let workload = try RawWorkload(folder: folder, bookCount: Self.bookCount) { Self.library }
        try workload.buildStore()
        #expect(try workload.run(operation).result == operation.expectedResult(bookCount: Self.bookCount))
    }
}
