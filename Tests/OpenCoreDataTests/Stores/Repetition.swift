import Foundation
import Synchronization
import TestSupport

/// Work that is done over and over on a thread of its own until it is stopped.
final class Repetition: Sendable {
    private let isStopped = Atomic<Bool>(false)
    private let count = Atomic<Int>(0)
    private let isDone = DispatchSemaphore(value: 0)
    private let failures = Noted<String>()

    init(_ body: @escaping @Sendable (Int) throws -> Void) {
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .relaxed) {
                do {
                    try body(count.load(ordering: .relaxed))
                } catch {
                    failures.note("\(error)")
                    break
                }
                count.add(1, ordering: .relaxed)
            }
            isDone.signal()
        }
    }

    /// How often the work was done so far.
    var rounds: Int { count.load(ordering: .relaxed) }

    /// Ends the work.
    ///
    /// - Returns: What went wrong.
    func stop() -> [String] {
        isStopped.store(true, ordering: .relaxed)
        isDone.wait()
        return failures.all
    }
}
