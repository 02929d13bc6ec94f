#if PostgreSQL
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite struct LogPositionTests {
    @Test(arguments: ["0/0", "16/B374D848", "FFFFFFFF/FFFFFFFF", "1/A"]) func textIsReadAndWritten(_ text: String) {
        #expect(LogPosition(text)?.description == text)
    }

    @Test(arguments: ["", "/", "1", "1/", "/1", "1/2/3", "123456789/0", "-1/0", "+1/0", "1/G", "1 /2", "١/٢"])
    func otherTextIsNone(_ text: String) { #expect(LogPosition(text) == nil) }

    @Test func orderIsThatOfTheLog() throws {
        let positions = try ["0/FFFFFFFF", "1/0", "1/1", "2/0"].map { try #require(LogPosition($0)) }
        #expect(positions.sorted() == positions)
        #expect(Set(positions).count == 4)
    }
}
#endif
