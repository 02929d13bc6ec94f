import EngineShims
import Foundation
import Synchronization

/// The newest rows that are in memory, for all contexts of a coordinator.
///
/// The cache keeps no row alive: a slab lives as long as objects read from it, and takes its rows out when it goes.
// @unchecked Sendable because everything is under `lock`.
package final class RowCache: @unchecked Sendable {
    private struct Place: BitwiseCopyable {
        let slab: UnsafeMutableRawPointer
        let row: Int32
    }

    /// The rows of one root entity's tree.
    private final class Table {
        var places = ReferencePages<Place>()
    }

    private let lock = Mutex(())
    private var tables: [Int: Table] = [:]

    package init() {}

    /// Makes the rows of a slab the newest. Called once for a slab, after it was filled.
    package func register(_ slab: RowSlab) {
        guard slab.hasValues, slab.count > 0 else { return }
        if slab.timestamp == 0 { slab.timestamp = Date.timeIntervalSinceReferenceDate }
        slab.cache = self
        let pointer = Unmanaged.passUnretained(slab).toOpaque()
        lock.withLock { _ in
            let table = table(slab.entity.root)
            for row in 0..<slab.count {
                table.places[slab.reference(row)] = Place(slab: pointer, row: Int32(truncatingIfNeeded: row))
            }
        }
    }

    /// The newest row that is in memory.
    package func row(reference: Int64, root: EntityLayout) -> (slab: RowSlab, row: Int)? {
        lock.withLock { _ in
            guard let place = tables[root.index]?.places[reference], let retained = engine_try_retain(place.slab) else {
                return nil
            }
            return (Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue(), Int(place.row))
        }
    }

    /// Forgets a row: it was deleted, or may be old.
    package func forget(reference: Int64, root: EntityLayout) {
        lock.withLock { _ in tables[root.index]?.places[reference] = nil }
    }

    /// Forgets all rows.
    package func removeAll() {
        lock.withLock { _ in tables = [:] }
    }

    /// Takes out the rows of a slab that goes away.
    func remove(_ slab: RowSlab) {
        let pointer = Unmanaged.passUnretained(slab).toOpaque()
        lock.withLock { _ in
            guard let table = tables[slab.entity.root.index] else { return }
            for row in 0..<slab.count {
                let reference = slab.reference(row)
                if table.places[reference]?.slab == pointer { table.places[reference] = nil }
            }
        }
    }

    private func table(_ root: EntityLayout) -> Table {
        if let table = tables[root.index] { return table }
        let table = Table()
        tables[root.index] = table
        return table
    }
}
