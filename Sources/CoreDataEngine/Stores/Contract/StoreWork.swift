import Dispatch
public import Foundation
import Synchronization

/// What a store has done since it was opened, for a server's metrics. Not part of Apple's framework.
///
/// The quotient of a time and its number is an average; a server's metrics show how both grow.
public struct StoreWork: Sendable, Hashable {
    /// How often a connection was used to read.
    public var reads = 0
    /// How long these reads took altogether, in seconds, without the waits for connections.
    public var readTime: TimeInterval = 0
    /// How often a connection was used to write.
    public var writes = 0
    /// How long these writes took altogether, in seconds, without the waits for connections.
    public var writeTime: TimeInterval = 0
    /// How often a thread had to wait for a connection.
    public var waits = 0
    /// How long threads have waited for connections altogether, in seconds.
    public var waitTime: TimeInterval = 0
    /// How many transactions were repeated because others got in their way. Stores on a server have this.
    public var retries = 0
    /// How many saves found that others had changed, deleted or inserted rows that are in their way. Merge policies
    /// settle many of them.
    public var conflicts = 0
    /// How many faults were filled with rows that were in memory.
    public var cacheHits = 0
    /// How many faults were filled by reading from the store.
    public var cacheMisses = 0

    /// No work.
    ///
    /// All numbers and times are 0.
    public init() {}
}

/// Counts the work of a store. Safe to use from any thread.
package final class WorkCounters: Sendable {
    /// A kind of work, with a number and a time.
    package enum Kind {
        case read, write, wait
    }

    private struct Sum: ~Copyable, Sendable {
        let count = Atomic<Int>(0)
        let nanoseconds = Atomic<UInt64>(0)

        var seconds: TimeInterval { TimeInterval(nanoseconds.load(ordering: .relaxed)) / 1e9 }
    }

    private let reads = Sum()
    private let writes = Sum()
    private let waits = Sum()
    private let retries = Atomic<Int>(0)
    private let conflicts = Atomic<Int>(0)

    package init() {}

    /// Runs a block and counts it.
    package func measure<Result>(_ kind: Kind, _ body: () throws -> Result) rethrows -> Result {
        let start = DispatchTime.now().uptimeNanoseconds
        defer {
            let time = DispatchTime.now().uptimeNanoseconds &- start
            switch kind {
            case .read: Self.add(time, to: reads)
            case .write: Self.add(time, to: writes)
            case .wait: Self.add(time, to: waits)
            }
        }
        return try body()
    }

    private static func add(_ time: UInt64, to sum: borrowing Sum) {
        sum.count.wrappingAdd(1, ordering: .relaxed)
        sum.nanoseconds.wrappingAdd(time, ordering: .relaxed)
    }

    /// Notes that a transaction is repeated.
    package func addRetry() { retries.wrappingAdd(1, ordering: .relaxed) }

    /// Notes that a save found conflicts.
    package func addConflict() { conflicts.wrappingAdd(1, ordering: .relaxed) }

    /// The work until now.
    package var work: StoreWork {
        var work = StoreWork()
        (work.reads, work.readTime) = (reads.count.load(ordering: .relaxed), reads.seconds)
        (work.writes, work.writeTime) = (writes.count.load(ordering: .relaxed), writes.seconds)
        (work.waits, work.waitTime) = (waits.count.load(ordering: .relaxed), waits.seconds)
        work.retries = retries.load(ordering: .relaxed)
        work.conflicts = conflicts.load(ordering: .relaxed)
        return work
    }
}
