import Foundation
import OpenCoreDataKit
import Synchronization
import Testing

@testable import OpenCoreDataKit

@Suite struct AdmissionTests {
    private struct TooLong: Error {
        let waiting: Int
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
        let (now, most) = (Atomic(0), Atomic(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await admission.enter()
                    defer { admission.leave() }
                    most.max(now.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                    await Task.yield()
                    now.subtract(1, ordering: .relaxed)
                }
            }
            try await group.waitForAll()
        }
        #expect((1...3).contains(most.load(ordering: .relaxed)))
        #expect(admission.waitingCount == 0)
        // All places are free again.
        for _ in 0..<3 { try await admission.enter() }
    }

    @Test func whoCameFirstGoesFirst() async throws {
        let admission = admission(1)
        try await admission.enter()
        let order = Mutex<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            tasks.append(
                Task {
                    try await admission.enter()
                    order.withLock { $0.append(number) }
                    admission.leave()
                })
            try await untilWaiting(number + 1, admission)
        }
        admission.leave()
        for task in tasks { try await task.value }
        #expect(order.withLock { $0 } == Array(0..<20))
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

    @Test func whoWaitsTooLongGetsAnError() async throws {
        let admission = admission(1, timeout: 0.05)
        try await admission.enter()
        await #expect(throws: TooLong.self) { try await admission.enter() }
        admission.leave()
        try await admission.enter()
        // The time of one that was let in is of no consequence.
        let second = Task { try await admission.enter() }
        try await untilWaiting(1, admission)
        admission.leave()
        try await second.value
        try await Task.sleep(for: .milliseconds(80))
        admission.leave()
        try await admission.enter()
    }
}
