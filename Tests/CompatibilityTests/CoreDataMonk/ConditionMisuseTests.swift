import CoreDataMonk
import Testing

/// Mistakes of a program that functions which don't throw can only answer by stopping it.
@Suite(.serialized) struct ConditionMisuseTests {
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    // Feature MONK-40
    @Test func aMalformedFormatStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CoreDataQuery.where("name LIKE LIKE %@", "x")
        }
        #expect(said(result).contains("name LIKE LIKE %@") && said(result).contains("malformed"))
    }

    // Feature MONK-40
    @Test func aMissingArgumentStopsTheProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CoreDataQuery.Where("name == %@ AND age == %d", "x")
        }
        #expect(said(result).contains("name == %@ AND age == %d"))
    }

    // Feature MONK-48
    @Test func aNegativeWindowStopsTheProgram() async {
        let limit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CoreDataQueryOptions.limit(-1)
        }
        #expect(said(limit).contains("limit of -1"))
        let offset = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CoreDataQueryOptions.Offset(-2)
        }
        #expect(said(offset).contains("offset of -2"))
    }
}
