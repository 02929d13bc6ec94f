import BNRCoreDataStack
import TestSupport
import Testing

/// The example of the library's page.
@MainActor struct DocumentTests {
    @Test func theExampleOfThePageRuns() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Library.sqlite")
        #expect(try await borrow(["Solaris", "Momo"], LibraryModel.make(), file) == ["Momo", "Solaris"])
        #expect(try await borrow(["Emil"], LibraryModel.make(), file) == ["Emil", "Momo", "Solaris"])
    }
}
