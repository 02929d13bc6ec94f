#if Server
import Testing

@testable import OpenCoreDataServer

/// How many requests are let in, by how fast those before them were answered. The times are given.
@Suite struct ExpectedWaitTests {
    private let start = ContinuousClock.now

    /// Lets requests in and ends them, one after the other.
    ///
    /// - Parameter milliseconds: How long each takes.
    private func answer(_ count: Int, in milliseconds: Double, _ wait: ExpectedWait, from moment: inout Double) {
        for _ in 0..<count {
            #expect(wait.begin(at: start.advanced(by: .milliseconds(moment))))
            moment += milliseconds
            wait.end(at: start.advanced(by: .milliseconds(moment)))
        }
    }

    @Test func asManyAreLetInAsAreAnsweredInTime() {
        let wait = ExpectedWait(longest: .milliseconds(100), limit: 1_000)
        var moment = 0.0
        // Nothing is known yet.
        #expect(wait.capacity == 1_000)
        answer(200, in: 1, wait, from: &moment)
        #expect((98...102).contains(wait.capacity), "\(wait.capacity)")
        // What is between requests, when nothing is to be done, isn't counted.
        moment += 60_000
        answer(10, in: 1, wait, from: &moment)
        #expect((98...102).contains(wait.capacity), "\(wait.capacity)")
        answer(600, in: 5, wait, from: &moment)
        #expect((19...21).contains(wait.capacity), "\(wait.capacity)")
        // The slow ones are forgotten.
        answer(600, in: 0.5, wait, from: &moment)
        #expect((195...205).contains(wait.capacity), "\(wait.capacity)")
    }

    @Test func requestsSideBySideCountByHowFastTheyEndTogether() {
        let wait = ExpectedWait(longest: .milliseconds(100), limit: 1_000)
        // Eight at a time, each for 16 ms: one ends every 2 ms.
        var begun = 0
        for step in 0..<400 {
            let moment = start.advanced(by: .milliseconds(2 * step))
            while begun - max(0, step - 7) < 8 {
                #expect(wait.begin(at: moment))
                begun += 1
            }
            if step >= 7 { wait.end(at: moment) }
        }
        #expect((48...52).contains(wait.capacity), "\(wait.capacity)")
    }

    @Test func someAreLetInHoweverSlowAndNoMoreThanTheLimitHoweverFast() {
        let wait = ExpectedWait(longest: .milliseconds(100), limit: 50)
        var moment = 0.0
        answer(100, in: 0.01, wait, from: &moment)
        #expect(wait.capacity == 50)
        answer(500, in: 5_000, wait, from: &moment)
        #expect(wait.capacity == ExpectedWait.fewest)
        let now = start.advanced(by: .milliseconds(moment))
        for number in 0..<20 { #expect(wait.begin(at: now) == (number < ExpectedWait.fewest)) }
    }

    @Test func aSlowFirstRequestKeepsNoBurstOut() {
        let wait = ExpectedWait(longest: .milliseconds(100), limit: 1_000)
        var moment = 0.0
        answer(1, in: 3_000, wait, from: &moment)
        answer(60, in: 1, wait, from: &moment)
        #expect(wait.capacity >= 30, "\(wait.capacity)")
    }
}
#endif
