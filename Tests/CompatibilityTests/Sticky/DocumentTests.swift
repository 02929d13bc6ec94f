import Sticky
import Testing

/// The example of the library's page.
@Suite struct DocumentTests {
    @Test func theExampleOfThePageRuns() async throws {
        #expect(try await historyTitles(in: BookModel.make()) == ["SPQR"])
        #expect(try await historyTitles(in: BookModel.make()) == ["SPQR"])
    }
}
