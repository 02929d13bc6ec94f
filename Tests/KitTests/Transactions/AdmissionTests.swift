import Foundation
import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataKit

@Suite struct AdmissionTests {
    private struct TooLong: Error {
        let waiting: Int
    }

    /// How many there are now, and the most that there were.
    private final class Counter: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func begin() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func end() { state.withLock { $0.now -= 1 } }
    }

    private func admission(_ limit: Int, timeout: Double? = nil) -> Admission {
        Admission(limit: limit, timeout: timeout) { TooLong(waiting: $0) }
    }

    private func untilWaiting(_ count: Int, _ admission: Admission) async throws {
        for _ in 0..<2_000 where admission.waitingCount != count { try await Task.sleep(for: .milliseconds(1)) }
        try #require(admission.waitingCount == count)
    }

    @Test func noMoreThanTheLimitGoOnAtATime() async throws {
        let admission = admission(3)
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await admission.enter()
                    defer { admission.leave() }
                    counter.begin()
                    await Task.yield()
                    counter.end()
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(counter.most))
        #expect(admission.waitingCount == 0)
        // All places are free again.
        for _ in 0..<3 { try await admission.enter() }
    }

    @Test func whoCameFirstGoesFirst() async throws {
        let admission = admission(1)
        try await admission.enter()
        let order = Noted<Int>()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            tasks.append(
                Task {
                    try await admission.enter()
                    order.note(number)
                    admission.leave()
                })
            try await untilWaiting(number + 1, admission)
        }
        admission.leave()
        for task in tasks { try await task.value }
        #expect(order.all == Array(0..<20))
    }

    @Test func aCancelledTaskWaitsNoMoreAndTakesNoPlace() async throws {
        let admission = admission(1)
        try await admission.enter()
        let waiting = Task { try await admission.enter() }
        try await untilWaiting(1, admission)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(admission.waitingCount == 0)
        admission.leave()
        try await admission.enter()
        // Cancelled before it asks, and at any time while it does.
        for _ in 0..<500 {
            let task = Task { try await admission.enter() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        admission.leave()
        try await admission.enter()
    }

    @Test func oneThatGoesFirstGoesBeforeThoseThatWait() async throws {
        let admission = admission(1)
        try await admission.enter()
        let order = Mutex<[String]>([])
        let waiting = Task {
            try await admission.enter()
            order.withLock { $0.append("waiting") }
            admission.leave()
        }
        try await untilWaiting(1, admission)
        admission.enter(first: true, cancellation: CancellationFlag(stopsStatements: false)) { entered in
            #expect(throws: Never.self) { try entered.get() }
            order.withLock { $0.append("first") }
            admission.leave()
        }
        #expect(admission.waitingCount == 2)
        admission.leave()
        try await waiting.value
        #expect(order.withLock { $0 } == ["first", "waiting"])
    }

    @Test func aCancelledOneIsTold() async throws {
        let admission = admission(1)
        try await admission.enter()
        let isCancelledBefore = CancellationFlag(stopsStatements: false)
        isCancelledBefore.set()
        let isCancelledLater = CancellationFlag(stopsStatements: false)
        let results = Mutex<[Result<Void, any Error>]>([])
        for cancellation in [isCancelledBefore, isCancelledLater] {
            admission.enter(first: false, cancellation: cancellation) { result in
                results.withLock { $0.append(result) }
            }
        }
        #expect(results.withLock { $0.count } == 1)
        isCancelledLater.set()
        #expect(results.withLock { $0.count } == 2)
        for result in results.withLock({ $0 }) { #expect(throws: CancellationError.self) { try result.get() } }
        admission.leave()
        // A flag that is set later has no effect on one that has begun.
        let late = CancellationFlag(stopsStatements: false)
        let hasBegun = Mutex(false)
        admission.enter(first: true, cancellation: late) { result in
            if case .success = result { hasBegun.withLock { $0 = true } }
        }
        late.set()
        #expect(hasBegun.withLock { $0 })
        #expect(admission.waitingCount == 0)
    }

    @Test func whoWaitsTooLongGetsAnError() async throws {
        let admission = admission(1, timeout: 0.05)
        try await admission.enter()
        await #expect(throws: TooLong.self) { try await admission.enter() }
        admission.leave()
        try await admission.enter()
    }

    @Test func theTimeOfOneThatWasLetInIsOfNoConsequence() async throws {
        // Long enough to be seen waiting while other tests have the processors.
        let admission = admission(1, timeout: 2)
        try await admission.enter()
        let second = Task { try await admission.enter() }
        try await untilWaiting(1, admission)
        admission.leave()
        try await second.value
        try await Task.sleep(for: .milliseconds(2_100))
        admission.leave()
        try await admission.enter()
    }

    @Test func blocksFollowEachOtherWhileTasksBlockAllThreads() async throws {
        let admission = admission(1)
        try await admission.enter()
        let done = Counter()
        let blocks = (0..<20).map { _ in
            Task {
                try await admission.perform(with: Context(concurrencyType: .privateQueueConcurrencyType)) { _ in
                    done.begin()
                }
            }
        }
        try await untilWaiting(20, admission)
        let seen = await withTaskGroup(of: Int.self) { group in
            for number in 0..<ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    if number == 0 { admission.leave() }
                    for _ in 0..<20_000 where done.most < 20 { usleep(1_000) }
                    return done.most
                }
            }
            return await group.reduce(20) { min($0, $1) }
        }
        #expect(seen == 20)
        for block in blocks { try await block.value }
        try await admission.enter()
    }

    @Test func aBlockThatIsCancelledOrThrowsTakesNoPlace() async throws {
        let admission = admission(1)
        let context = Context(concurrencyType: .privateQueueConcurrencyType)
        await #expect(throws: TooLong.self) {
            try await admission.perform(with: context) { _ in throw TooLong(waiting: 0) }
        }
        try await admission.enter()
        let waiting = Task { try await admission.perform(with: context) { _ in Issue.record("It ran.") } }
        try await untilWaiting(1, admission)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        admission.leave()
        #expect(try await admission.perform(with: context) { _ in 7 } == 7)
        try await admission.enter()
    }
}
