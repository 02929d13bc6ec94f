import CampaignCore
import Testing

@Suite struct CaseRangesTests {
    @Test func rangesThatTouchAreOne() {
        var ranges = CaseRanges()
        ranges.insert(0..<5)
        ranges.insert(10..<12)
        #expect(ranges.firstGap() == 5)
        #expect(ranges.gap(from: 0, to: 100) == 5..<10)
        ranges.insert(5..<10)
        #expect(ranges.ranges == [0..<12])
        #expect(ranges.count == 12)
    }

    @Test func whatIsTakenOutCanBeTakenAgain() {
        var ranges = CaseRanges()
        ranges.insert(0..<10)
        ranges.remove(4..<10)
        ranges.insert(20..<30)
        ranges.remove(22..<25)
        #expect(ranges.ranges == [0..<4, 20..<22, 25..<30])
        #expect(ranges.gap(from: 0, to: 6) == 4..<6)
    }
}
