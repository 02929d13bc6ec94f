import Foundation
import Synchronization

/// Decimals that a SQLite store can't keep as they are.
///
/// Apple's format has a number in the column, a 64-bit integer or a double, and Apple's framework reads nothing else there: of
/// a decimal's 38 digits some 16 are kept. An object that was saved has what is stored, as after a fetch, and the first value of
/// each attribute to be rounded is logged.
enum RoundedDecimals {
    /// The decimal that a column has after it was given one; `nil` where it has none.
    static func stored(_ decimal: Decimal) -> Decimal? {
        // Up to 15 digits come back from a double as they were.
        if !decimal.isNaN, decimal.significand < exact { return decimal }
        switch SQLNumber.value(of: decimal) {
        case .integer(let integer): return Decimal(integer)
        case .real(let real):
            // The column's affinity makes whole numbers integers.
            if let integer = Int64(exactly: real) { return Decimal(integer) }
            return Decimal(shortestString: SQLNumber.string(of: real))
        default: return nil
        }
    }

    private static let exact = Decimal(1_000_000_000_000_000)

    /// What rows of a plan have in place of their objects' values.
    static func changes(in plan: SavePlan, store: @autoclosure () -> String) -> [DerivedChange] {
        var changes: [DerivedChange] = []
        var last: EntityLayout?
        var decimals: [SlotLayout] = []
        func look(_ change: RowChange) {
            if change.entity !== last {
                last = change.entity
                decimals = change.entity.slots.compactMap { $0 }.filter { $0.kind == .decimal && !$0.isTransient }
            }
            for slot in decimals {
                guard case .decimal(let box) = change.value(slot.index) else { continue }
                let stored = stored(box.value)
                guard stored != box.value else { continue }
                log(box.value, stored, slot, store())
                changes.append(
                    DerivedChange(
                        entity: change.entity, reference: change.reference, slot: slot.index,
                        value: stored.map { .decimal(DecimalBox($0)) } ?? .null))
            }
        }
        for change in plan.inserts { look(change) }
        for change in plan.updates { look(change) }
        return changes
    }

    private static let logged = Mutex<Set<String>>([])

    private static func log(_ value: Decimal, _ stored: Decimal?, _ slot: SlotLayout, _ store: String) {
        guard logged.withLock({ $0.insert("\(store)/\(slot.owner.name).\(slot.name)").inserted }) else { return }
        DiagnosticLog.warn(
            "OpenCoreData",
            "\(slot.owner.name).\(slot.name) was \(value) and is \(stored?.description ?? "nil") in the store \(store): a column of "
                + "Core Data's SQLite stores has no more digits. Further values of the attribute are rounded as well.")
    }
}
