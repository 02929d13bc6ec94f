import Foundation
import Synchronization

/// The newest rows that are in memory, for all contexts of a coordinator.
///
/// The cache keeps no row alive: a slab lives as long as objects read from it, and takes its rows out when it goes. So
/// it needs no limit of its own: what it holds is a word (8 bytes) for each row that objects read from, in pages of 512
/// that are freed when they are empty, and a directory of at most 1 MB for each root entity. The slabs themselves
/// belong to the objects: one object keeps the whole slab that its row came with. Memory is bounded by letting objects
/// go: `reset()`, `refresh(_:mergeChanges:)`, contexts that end, batched fetches. Measured with 100,000 objects of
/// three attributes: some 150 bytes a row with its object, and the process is no larger after forty such fetches than
/// after three.
// @unchecked Sendable because everything is under `lock`.
package final class RowCache: @unchecked Sendable {
    /// Where the rows of one root entity's tree are: the slab's number in the upper half of a word, the row in the
    /// lower.
    private final class Table {
        @exclusivity(unchecked) var positions = ReferencePages()
    }

    private let lock = UnfairMutex(())
    /// By `EntityLayout.rootIndex`.
    @exclusivity(unchecked) private var tables: [Table?] = []
    /// The slabs by number, counted from 1, and the numbers that are free again.
    @exclusivity(unchecked) private var slabs: [UnsafeMutableRawPointer?] = [nil]
    @exclusivity(unchecked) private var freeNumbers: [UInt32] = []
    /// The last rows that changed, and how many changed in all.
    @exclusivity(unchecked) private var changes: [Change] = []
    private let changeCount = Atomic<UInt>(0)
    /// How often faults were filled from here, and how often not.
    @exclusivity(unchecked) private var uses = (hits: 0, misses: 0)

    /// All rows that changed, where they are recorded.
    @exclusivity(unchecked) private var recorded: Set<Change>?

    /// Whether all rows were forgotten, where changes are recorded.
    @exclusivity(unchecked) private var hasForgottenAll = false

    /// A row that was forgotten, or saved again.
    private struct Change: Hashable {
        let root: Int32
        let reference: Int64
    }

    /// How many changes are kept at most.
    private static let mostChanges = 4_096

    /// A time in the life of a cache. Rows that are read later are as new as all that it knew of by then.
    package struct Moment: Sendable {
        fileprivate let changeCount: UInt
    }

    /// The rows that changed, or were forgotten, while they were read.
    package enum Overtaken {
        case none
        case rows(Set<Int64>)
        /// More changed than is kept.
        case all

        package func contains(_ reference: Int64) -> Bool {
            switch self {
            case .none: false
            case .rows(let references): references.contains(reference)
            case .all: true
            }
        }
    }

    package init() {}

    /// - Parameter recordsChanges: Whether all rows that change are recorded, for `forget(changesOf:)`.
    init(recordsChanges: Bool) { recorded = recordsChanges ? [] : nil }

    /// Makes a cache that only the caller has, and that records changes, as it was when it was made.
    ///
    /// - Returns: Whether it could: not if it has rows.
    func recordAgain() -> Bool {
        lock.withLock { _ in
            guard tables.allSatisfy({ $0?.positions.count ?? 0 == 0 }) else { return false }
            recorded = []
            hasForgottenAll = false
            changes.removeAll(keepingCapacity: true)
            uses = (0, 0)
            return true
        }
    }

    /// Forgets the rows that changed in another cache, or were forgotten there.
    func forget(changesOf other: RowCache) {
        let (changes, areAll) = other.lock.withLock { _ in (other.recorded ?? [], other.hasForgottenAll) }
        if areAll { return removeAll() }
        guard !changes.isEmpty else { return }
        lock.withLock { _ in
            for change in changes {
                let index = Int(change.root)
                if index < tables.count, let table = tables[index] { table.positions[change.reference] = 0 }
                record(change)
            }
        }
    }

    /// The present time, to be recorded before rows are read.
    package var moment: Moment { Moment(changeCount: changeCount.load(ordering: .acquiring)) }

    /// Makes the rows of a slab the newest, but for those that have a newer version already: who read them may have
    /// been overtaken by a save. Called once for a slab, after it was filled.
    ///
    /// - Parameter moment: From before the rows were read: those that changed since then, or were forgotten, are left
    ///   out.
    /// - Returns: The rows that were left out because they changed.
    @discardableResult
    package func register(_ slab: RowSlab, since moment: Moment? = nil) -> Overtaken {
        guard slab.hasValues, slab.count > 0 else { return .none }
        if slab.timestamp == 0 { slab.timestamp = Date.timeIntervalSinceReferenceDate }
        var former = FormerSlab()
        // Its last reference must not go under the lock, which its end takes.
        defer { withExtendedLifetime(former) {} }
        return lock.withLock { _ in
            var overtaken: Set<Int64> = []
            if let moment, moment.changeCount != changeCount.load(ordering: .relaxed) {
                guard let changed = references(changedSince: moment, of: slab) else { return .all }
                overtaken = changed
            }
            slab.cache = self
            let table = makeTable(slab.entity)
            if slab.cacheNumber == 0 { slab.cacheNumber = number(slab) }
            let first = UInt64(slab.cacheNumber) << 32
            for row in 0..<slab.count {
                let reference = slab.reference(row)
                if !overtaken.isEmpty, overtaken.contains(reference) { continue }
                let position = table.positions[reference]
                if position != 0, isNewer(position, than: slab.version(row), &former) { continue }
                table.positions[reference] = first | UInt64(row)
            }
            return overtaken.isEmpty ? .none : .rows(overtaken)
        }
    }

    /// The slab that had the row before; mostly the same for many rows.
    private struct FormerSlab {
        var number: UInt64 = 0
        var slab: RowSlab?
        /// Those that were looked at before.
        var others: [RowSlab] = []
    }

    private func isNewer(_ position: UInt64, than version: Int64, _ former: inout FormerSlab) -> Bool {
        let number = position >> 32
        if former.number != number {
            if let slab = former.slab { former.others.append(slab) }
            former.number = number
            former.slab = slabs[Int(number)].flatMap { TryRetain.retained($0) }.map {
                Unmanaged<RowSlab>.fromOpaque($0).takeRetainedValue()
            }
        }
        guard let slab = former.slab else { return false }
        return slab.version(Int(position & 0xFFFF_FFFF)) > version
    }

    /// The newest row that is in memory.
    ///
    /// - Parameter isForFault: Whether a fault is filled with it, which counts as a hit or a miss.
    package func row(
        reference: Int64, root: EntityLayout, isForFault: Bool = false
    ) -> (slab: RowSlab, row: Int)? {
        lock.withLock { _ in
            guard let position = table(root)?.positions[reference], position != 0,
                let slab = slabs[Int(position >> 32)],
                let retained = TryRetain.retained(slab)
            else {
                if isForFault { uses.misses &+= 1 }
                return nil
            }
            if isForFault { uses.hits &+= 1 }
            return (Unmanaged<RowSlab>.fromOpaque(retained).takeRetainedValue(), Int(position & 0xFFFF_FFFF))
        }
    }

    /// Adds how often faults were filled from here to what the store has done.
    package func add(to work: inout StoreWork) {
        (work.cacheHits, work.cacheMisses) = lock.withLock { _ in (uses.hits, uses.misses) }
    }

    /// Forgets a row: it was deleted, or may be old. Reads that are under way don't bring it back.
    package func forget(reference: Int64, root: EntityLayout) {
        lock.withLock { _ in
            table(root)?.positions[reference] = 0
            record(Change(root: Int32(truncatingIfNeeded: root.rootIndex), reference: reference))
        }
    }

    /// Notes that the rows of a slab were saved: reads that are under way may have their former values.
    ///
    /// - Parameter slab: Of versions that were saved just now; the first version of a row has no former one.
    package func recordSaved(_ slab: RowSlab) {
        let root = Int32(truncatingIfNeeded: slab.entity.rootIndex)
        lock.withLock { _ in
            for row in 0..<slab.count where slab.version(row) > 1 {
                record(Change(root: root, reference: slab.reference(row)))
            }
        }
    }

    /// Forgets all rows, also those of reads that are under way.
    package func removeAll() {
        lock.withLock { _ in
            tables = []
            hasForgottenAll = recorded != nil
            changes.removeAll()
            changeCount.wrappingAdd(1, ordering: .releasing)
        }
    }

    private func record(_ change: Change) {
        recorded?.insert(change)
        if changes.count >= Self.mostChanges { changes.removeFirst(Self.mostChanges / 2) }
        changes.append(change)
        changeCount.wrappingAdd(1, ordering: .releasing)
    }

    /// The rows of a slab that changed, and maybe others of its entity's tree; `nil` when that is not known any more, and each
    /// may have.
    private func references(changedSince moment: Moment, of slab: RowSlab) -> Set<Int64>? {
        let count = changeCount.load(ordering: .relaxed) &- moment.changeCount
        guard count <= UInt(changes.count) else { return nil }
        let root = Int32(truncatingIfNeeded: slab.entity.rootIndex)
        let changed = changes.suffix(Int(count)).lazy.filter { $0.root == root }.map(\.reference)
        // A slab with one row is what a small save has, while many others save.
        guard slab.count > 1 else { return changed.contains(slab.reference(0)) ? [slab.reference(0)] : [] }
        return Set(changed)
    }

    /// How many rows there are.
    package var count: Int {
        lock.withLock { _ in tables.reduce(0) { $0 + ($1?.positions.count ?? 0) } }
    }

    /// What is wrong with the positions, for tests; empty when each leads to the row that it represents.
    package func checkInvariants() -> [String] {
        lock.withLock { _ in
            var broken: [String] = []
            for number in freeNumbers where slabs[Int(number)] != nil {
                broken.append("slab \(number) is there and its number is free")
            }
            if Set(freeNumbers).count != freeNumbers.count { broken.append("a number is free twice") }
            for case let table? in tables {
                broken += table.positions.checkInvariants()
                table.positions.forEachEntry { reference, position in
                    let (number, row) = (Int(position >> 32), Int(position & 0xFFFF_FFFF))
                    guard number < slabs.count, let pointer = slabs[number] else {
                        return broken.append("row \(reference) is in slab \(number), which is gone")
                    }
                    // Its memory is there: a slab that goes takes its rows out first, for which it needs the lock.
                    Unmanaged<RowSlab>.fromOpaque(pointer)._withUnsafeGuaranteedRef { slab in
                        if row >= slab.count || slab.reference(row) != reference {
                            broken.append("row \(reference) is not in row \(row) of slab \(number)")
                        }
                        if slab.cacheNumber != UInt32(truncatingIfNeeded: number) {
                            broken.append("slab \(slab.cacheNumber) is listed as \(number)")
                        }
                    }
                }
            }
            return broken
        }
    }

    /// Takes out the rows of a slab that goes away.
    func remove(_ slab: RowSlab) {
        lock.withLock { _ in
            if let table = table(slab.entity) {
                let number = UInt64(slab.cacheNumber)
                for row in 0..<slab.count {
                    let reference = slab.reference(row)
                    if table.positions[reference] >> 32 == number { table.positions[reference] = 0 }
                }
            }
            slabs[Int(slab.cacheNumber)] = nil
            freeNumbers.append(slab.cacheNumber)
        }
    }

    private func number(_ slab: RowSlab) -> UInt32 {
        let pointer = Unmanaged.passUnretained(slab).toOpaque()
        if let number = freeNumbers.popLast() {
            slabs[Int(number)] = pointer
            return number
        }
        slabs.append(pointer)
        return UInt32(truncatingIfNeeded: slabs.count - 1)
    }

    private func table(_ entity: EntityLayout) -> Table? {
        entity.rootIndex < tables.count ? tables[entity.rootIndex] : nil
    }

    private func makeTable(_ entity: EntityLayout) -> Table {
        if let table = table(entity) { return table }
        while tables.count <= entity.rootIndex { tables.append(nil) }
        let table = Table()
        tables[entity.rootIndex] = table
        return table
    }
}
