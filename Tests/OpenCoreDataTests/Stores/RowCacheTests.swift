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
