import BNRCoreDataStack
import TestSupport
import Testing

/// The example of the library's page.
@MainActor struct DocumentTests {
    @Test func theExampleOfThePageRuns() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Volumes.sqlite")
        #expect(try await borrow(["Solaris", "Momo"], VolumeModel.make(), file) == ["Momo", "Solaris"])
        #expect(try await borrow(["Emil"], VolumeModel.make(), file) == ["Emil", "Momo", "Solaris"])
    }
}
