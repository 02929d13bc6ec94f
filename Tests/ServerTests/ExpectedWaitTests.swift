#if Server
import Testing

@testable import OpenCoreDataServer

/// How many requests are let in, by how long those before them took. The times are given, and all requests that are
/// there are sent again when they end, whether or not they are let in.
@Suite struct ExpectedWaitTests {
    private let start = ContinuousClock.now

    private func moment(_ milliseconds: Double) -> ContinuousClock.Instant {
        start.advanced(by: .microseconds(Int64(milliseconds * 1_000)))
    }

    /// Answers requests, each for so many milliseconds, of clients that always send the next one.
    ///
    /// - Parameter workers: How many are answered at a time.
    /// - Returns: How long each was there, in milliseconds.
    private func saturate(
        _ wait: ExpectedWait, clients: Int, for milliseconds: Double, workers: Int = 1, answers: Int,
        from time: inout Double
    ) -> [Double] {
        var queue: ArraySlice<(begun: Double, end: Double)> = []
        var free = Array(repeating: time, count: min(workers, clients))
        var begun = 0
        var times: [Double] = []
        for _ in 0..<answers {
            while queue.count < clients, wait.begin(at: moment(time)) {
                // All take equally long, so each worker has its turn.
                let end = max(time, free[begun % free.count]) + milliseconds
                free[begun % free.count] = end
                queue.append((time, end))
                begun += 1
            }
            let next = queue.removeFirst()
            time = next.end
            wait.end(since: moment(next.begun), at: moment(time))
            times.append(time - next.begun)
        }
        for left in queue { wait.end(since: moment(left.begun), at: moment(left.end)) }
        time = max(time, queue.last?.end ?? time)
        return times
    }

    @Test func waitsStayNearTheLongestWhateverOneTakes() {
        for milliseconds in [0.2, 1, 5] {
            let wait = ExpectedWait(longest: .milliseconds(50), limit: 1_000)
            var time = 0.0
            // One alone shows how long it takes.
            _ = saturate(wait, clients: 1, for: milliseconds, answers: 10, from: &time)
            _ = saturate(wait, clients: 512, for: milliseconds, answers: 2_000, from: &time)
            let times = saturate(wait, clients: 512, for: milliseconds, answers: 4_000, from: &time).sorted()
            #expect(times[times.count * 99 / 100] <= 50 + milliseconds * 3, "\(milliseconds)")
            #expect(wait.capacity >= ExpectedWait.fewest)
        }
    }

    @Test func requestsThatNeverEndKeepNoOthersOut() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 200)
        var time = 0.0
        _ = saturate(wait, clients: 1, for: 2, answers: 60, from: &time)
        for _ in 0..<8 { #expect(wait.begin(at: moment(time))) }
        var refused = 0
        for _ in 0..<200 {
            time += 50
            guard wait.begin(at: moment(time)) else {
                refused += 1
                continue
            }
            wait.end(since: moment(time), at: moment(time + 2))
        }
        #expect(refused == 0)
    }

    /// Whether the store answers within the longest wait or not: a stalled one lets in no more than one that is busy.
    @Test func noMoreAreLetInWhileAnswersTakeLongerThanTheLongestWait() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 1_000)
        var time = 0.0
        _ = saturate(wait, clients: 1, for: 5, answers: 10, from: &time)
        let times = saturate(wait, clients: 512, for: 120, answers: 400, from: &time).suffix(300)
        #expect(wait.capacity == ExpectedWait.fewest)
        #expect((times.max() ?? 0) <= 120 * Double(ExpectedWait.fewest), "\(times.max() ?? 0)")
    }

    /// Requests whose bodies don't arrive keep others out for a second.
    @Test func requestsThatTakeTooLongDoNotCount() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 1_000)
        var time = 0.0
        _ = saturate(wait, clients: 1, for: 60, answers: 40, from: &time)
        let stuck = time
        for number in 0..<10 { #expect(wait.begin(at: moment(time)) == (number < ExpectedWait.fewest)) }
        #expect(!wait.begin(at: moment(stuck + 900)))
        #expect(wait.begin(at: moment(stuck + 1_100)))
        wait.end(since: moment(stuck + 1_100), at: moment(stuck + 1_160))
        // One that ends after all takes no other's place.
        wait.end(since: moment(stuck), at: moment(stuck + 1_200))
        for number in 0..<10 { #expect(wait.begin(at: moment(stuck + 1_300)) == (number < ExpectedWait.fewest)) }
    }

    @Test func aStalledRouteLetsInFewAndNeverMoreThanTheLimit() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 60)
        var time = 0.0
        _ = saturate(wait, clients: 1, for: 2, answers: 60, from: &time)
        let before = wait.capacity
        #expect((20...40).contains(before), "\(before)")
        var begun: [Double] = []
        var counts: [Int] = []
        for second in 0..<60 {
            for step in 0..<200 {
                let moment = time + Double(second) * 1_000 + Double(step) * 5
                if wait.begin(at: self.moment(moment)) { begun.append(moment) }
            }
            counts.append(begun.count)
        }
        #expect(counts[0] == before && counts[1] <= before + 2 * ExpectedWait.fewestStalled, "\(counts)")
        #expect(counts[59] == 60, "\(counts)")
        time += 60_000
        for begun in begun { wait.end(since: moment(begun), at: moment(time)) }
        _ = saturate(wait, clients: 10, for: 2, answers: 200, from: &time)
        #expect(wait.capacity > before / 2, "\(wait.capacity)")
    }

    @Test func oneThatNeverEndsStillCountsForTheLimit() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 1)
        #expect(wait.begin(at: moment(0)))
        for time in stride(from: 0, to: 10_000, by: 100.0) { #expect(!wait.begin(at: moment(time))) }
        wait.end(since: moment(0), at: moment(10_000))
        #expect(wait.begin(at: moment(10_001)))
    }

    @Test func aSlowRequestThatEndsSaysNothingAboutTheOthers() {
        for slow in [900.0, 1_500, 30_000] {
            let wait = ExpectedWait(longest: .milliseconds(50), limit: 1_000)
            var time = 0.0
            _ = saturate(wait, clients: 1, for: 2, answers: 100, from: &time)
            let (first, before) = (time, wait.capacity)
            #expect(wait.begin(at: moment(first)))
            while time < first + slow { _ = saturate(wait, clients: 4, for: 2, answers: 20, from: &time) }
            #expect(wait.begin(at: moment(time)))
            wait.end(since: moment(first), at: moment(time + 1))
            wait.end(since: moment(time), at: moment(time + 2))
            #expect(abs(wait.capacity - before) <= before / 3, "\(slow): \(wait.capacity), \(before)")
        }
    }

    @Test func requestsThatAreAnsweredSideBySideAreLetIn() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 400)
        var time = 0.0
        // Each takes longer than the longest wait, and waits for no other.
        _ = saturate(wait, clients: 1, for: 200, answers: 10, from: &time)
        _ = saturate(wait, clients: 1_000, for: 200, workers: 1_000, answers: 60_000, from: &time)
        #expect(wait.capacity > 3 * ExpectedWait.fewest, "\(wait.capacity)")
    }

    @Test func moreAreLetInAgainWhenTheyAreFaster() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 1_000)
        var time = 0.0
        _ = saturate(wait, clients: 1, for: 2, answers: 10, from: &time)
        _ = saturate(wait, clients: 512, for: 60, answers: 500, from: &time)
        #expect(wait.capacity == ExpectedWait.fewest)
        _ = saturate(wait, clients: 512, for: 2, answers: 5_000, from: &time)
        #expect((15...40).contains(wait.capacity), "\(wait.capacity)")
    }

    @Test func aBurstBeforeAnythingIsKnownIsNotLetInWhole() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 1_000)
        for number in 0..<100 { #expect(wait.begin() == (number < ExpectedWait.first)) }
    }

    @Test func noMoreAreLetInThanTheLimit() {
        let wait = ExpectedWait(longest: .milliseconds(50), limit: 7)
        for number in 0..<20 { #expect(wait.begin() == (number < 7)) }
        let counted = ExpectedWait(longest: nil, limit: 3)
        for number in 0..<20 { #expect(counted.begin(at: moment(Double(number))) == (number < 3)) }
        #expect(!counted.begin(at: moment(50_000)))
        counted.end(since: moment(1), at: moment(60_000))
        #expect(counted.begin() && !counted.begin())
    }
}
#endif
