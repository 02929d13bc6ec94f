import CoreDataMonk
import TestSupport
import Testing

/// The example of the library's page.
@MainActor struct DocumentTests {
    @Test func theExampleOfThePageRuns() throws {
        let folder = try TemporaryFolder()
        #expect(try adults(PeopleModel.make(), folder.file("People.sqlite")) == ["Monk"])
        #expect(try adults(PeopleModel.make(), folder.file("People.sqlite")) == ["Monk"])
    }
}
