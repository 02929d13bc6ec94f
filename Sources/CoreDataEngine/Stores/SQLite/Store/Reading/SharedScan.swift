import Dispatch
import Synchronization

/// The rows of one table, read by two threads at once.
///
/// The keys are cut into ranges, and each thread takes the next range when it is done with one, so that a helper that
/// comes late, or not at all, costs nothing: the caller then reads what is left by itself.
// @unchecked Sendable because what changes is behind `state`'s lock. The helper's connection is used by the helper alone
// while it has a range; the caller gets it back when the helper has said that it is done.
final class SharedScan: @unchecked Sendable {
    /// Reads the rows whose keys are in a range.
    typealias Read = (SQLiteConnection, ClosedRange<Int64>) throws -> RowSlab

    private struct State {
        var next = 0
        var helperHasBegun = false
        var slabs: [RowSlab?]
        var failure: (any Error)?
    }

    /// Tables with fewer rows are read by the caller alone.
    static let fewestRows = 16_384
    /// Smaller files have no table with as many rows that contain anything.
    static let fewestBytes = 1 << 20
    /// Enough that the threads end at about the same time.
    static let mostRanges = 16

    private let ranges: [ClosedRange<Int64>]
    private let helping: SQLiteConnection
    private let read: Read
    private let state: Mutex<State>
    private let helperIsDone = DispatchSemaphore(value: 0)

    init(_ keys: ClosedRange<Int64>, helping: SQLiteConnection, read: @escaping Read) {
        ranges = Self.ranges(of: keys)
        self.helping = helping
        self.read = read
        state = Mutex(State(slabs: Array(repeating: nil, count: ranges.count)))
    }

    /// Ranges of about the same width, in order.
    static func ranges(of keys: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        let (span, isTooWide) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
        let count = Int64(mostRanges)
        guard !isTooWide, span >= count else { return [keys] }
        let width = span / count
        return (0..<count).map { index in
            let first = keys.lowerBound + index * width
            return first...(index == count - 1 ? keys.upperBound : first + width - 1)
        }
    }

    /// Reads everything.
    ///
    /// - Returns: The rows by ascending keys; slabs without rows are left out.
    /// - Throws: The first error of either thread.
    func run(_ connection: SQLiteConnection) throws -> [RowSlab] {
        DispatchQueue.global(qos: .userInitiated).async { [weak self] in self?.help() }
        readRanges(with: connection, asHelper: false)
        // No range is left, so a helper that has not begun will not begin.
        if state.withLock({ $0.helperHasBegun }) { helperIsDone.wait() }
        let (slabs, failure) = state.withLock { ($0.slabs, $0.failure) }
        if let failure { throw failure }
        return slabs.compactMap { $0 }.filter { $0.count > 0 }
    }

    private func help() {
        if readRanges(with: helping, asHelper: true) { helperIsDone.signal() }
    }

    /// - Returns: Whether there was anything left to read.
    @discardableResult
    private func readRanges(with connection: SQLiteConnection, asHelper: Bool) -> Bool {
        var hasRead = false
        while let index = nextRange(asHelper: asHelper) {
            hasRead = true
            do {
                let slab = try read(connection, ranges[index])
                state.withLock { $0.slabs[index] = slab }
            } catch {
                state.withLock { state in
                    state.failure = state.failure ?? error
                    state.next = ranges.count
                }
            }
        }
        return hasRead
    }

    private func nextRange(asHelper: Bool) -> Int? {
        state.withLock { state in
            guard state.next < ranges.count else { return nil }
            if asHelper { state.helperHasBegun = true }
            defer { state.next += 1 }
            return state.next
        }
    }
}
