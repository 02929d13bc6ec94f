import Foundation
import TestSupport
import Testing

@testable import CoreDataEngine

@Suite struct UnfairMutexTests {
    private final class Shared: Sendable {
        let counts = UnfairMutex([0, 0])
    }

    @Test func oneThreadAtATimeChangesTheValue() {
        let shared = Shared()
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            for _ in 0..<2_000 {
                shared.counts.withLock { counts in
                    let before = counts[index % 2]
                    counts[index % 2] = before + 1
                }
            }
        }
        #expect(shared.counts.withLock { $0 } == [16_000, 16_000])
    }

    @Test func anErrorLeavesTheMutexFree() {
        let shared = Shared()
        #expect(throws: CocoaError.self) {
            try shared.counts.withLock { counts in
                counts[0] = 1
                throw CocoaError(.fileNoSuchFile)
            }
        }
        #expect(shared.counts.withLock { $0 } == [1, 0])
    }

    #if !canImport(ObjectiveC) && !PORTABLE
    @Test func aTryForATakenMutexGivesUpInTime() {
        let shared = Shared()
        let (isTaken, isTried) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread {
            shared.counts.withLock { _ in
                isTaken.signal()
                isTried.wait()
            }
            isTaken.signal()
        }.start()
        isTaken.wait()
        #expect(!shared.counts.tryLock { $0 = [9, 9] })
        #expect(!shared.counts.tryLock(within: 20_000_000) { $0 = [9, 9] })
        isTried.signal()
        isTaken.wait()
        #expect(shared.counts.tryLock(within: 999_999_999) { $0 = [1, 2] })
        #expect(shared.counts.tryLock { $0[0] += 1 })
        #expect(shared.counts.withLock { $0 } == [2, 2])
    }
    #endif

    @Test func theValueIsReleasedWithTheMutex() {
        final class Value: Sendable {}
        weak var value: Value?
        do {
            let mutex = UnfairMutex(Value())
            value = mutex.withLock { $0 }
            #expect(value != nil)
        }
        #expect(value == nil)
    }
}
