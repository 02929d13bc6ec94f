import TestSupport
import Testing

@testable import CoreDataEngine

/// The rows that a coordinator has in memory are the newest that anybody has read or saved.
@Suite struct RowCacheTests {
    private let stack: TestStack
    private let layout: EntityLayout
    private let cache = RowCache()

    init() throws {
        stack = try TestStack()
        layout = try #require(stack.coordinator.layout["Book"])
    }

    private func slab(_ rows: [(reference: Int64, version: Int64)]) -> RowSlab {
        let slab = RowSlab(entity: layout.root)
        for row in rows {
            slab.appendRow(reference: row.reference, entityIndex: layout.index, version: row.version)
        }
        return slab
    }

    private func version(_ reference: Int64) -> Int64? {
        cache.row(reference: reference, root: layout.root).map { $0.slab.version($0.row) }
    }

    @Test func whoReadsARowBeforeASaveAndNotesItAfterwardsChangesNothing() {
        let saved = slab([(1, 4), (2, 2)])
        let read = slab([(1, 3), (2, 2), (3, 1)])
        cache.register(saved)
        cache.register(read)
        #expect([1, 2, 3, 4].map(version) == [4, 2, 1, nil])
        #expect(cache.row(reference: 2, root: layout.root)?.slab === read)
        let newer = slab([(1, 5)])
        cache.register(newer)
        #expect(version(1) == 5)
        withExtendedLifetime((saved, read, newer)) {}
    }

    @Test func whatIsForgottenWhileItIsReadIsNotBroughtBack() {
        let read = slab([(1, 3), (2, 1), (3, 1)])
        let moment = cache.moment
        cache.forget(reference: 2, root: layout.root)
        cache.register(read, since: moment)
        #expect([1, 2, 3].map(version) == [3, nil, 1])
        // Who reads afterwards has it as it is now.
        let later = slab([(2, 2)])
        cache.register(later, since: cache.moment)
        #expect(version(2) == 2)
        withExtendedLifetime((read, later)) {}
    }

    @Test func aSavedRowThatNobodyHoldsIsNotReplacedByAnOlderOneThatWasReadMeanwhile() {
        let moment = cache.moment
        var saved: RowSlab? = slab([(1, 4), (2, 1)])
        if let saved {
            cache.register(saved, since: moment)
            cache.recordSaved(saved)
        }
        saved = nil
        let read = slab([(1, 3), (2, 1)])
        cache.register(read, since: moment)
        #expect([1, 2].map(version) == [nil, 1])
        withExtendedLifetime(read) {}
    }

    @Test func aReadThatIsOvertakenByMoreChangesThanAreKeptIsNotNoted() {
        let (old, recent) = (slab([(1, 1)]), slab([(1, 1), (99_999, 1)]))
        let moment = cache.moment
        for reference in 10_000..<20_000 { cache.forget(reference: Int64(reference), root: layout.root) }
        cache.register(old, since: moment)
        #expect(version(1) == nil)
        let later = cache.moment
        cache.forget(reference: 99_999, root: layout.root)
        cache.register(recent, since: later)
        #expect([1, 99_999].map(version) == [1, nil])
        let before = cache.moment
        cache.removeAll()
        let lost = slab([(7, 1)])
        cache.register(lost, since: before)
        #expect([1, 7].map(version) == [nil, nil])
        cache.forget(reference: 8, root: layout.root)
        cache.register(lost, since: before)
        #expect(version(7) == nil)
        withExtendedLifetime((old, recent, lost)) {}
    }

    @Test func aNewerRowThatNobodyHoldsIsForgotten() {
        var saved: RowSlab? = slab([(1, 9)])
        if let saved { cache.register(saved) }
        #expect(version(1) == 9)
        saved = nil
        let read = slab([(1, 3)])
        cache.register(read)
        #expect(version(1) == 3)
        cache.forget(reference: 1, root: layout.root)
        #expect(version(1) == nil)
        withExtendedLifetime(read) {}
    }
}
