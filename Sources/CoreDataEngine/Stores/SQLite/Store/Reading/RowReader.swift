import CSQLite
import Foundation

/// Moves rows from SQLite's values into a slab.
///
/// Works in two ways that share everything: from a statement's current row, and from the arguments of an aggregate
/// function, which saves SQLite the way back to the caller for each row.
final class RowReader {
    let plan: RowReadPlan
    let slab: RowSlab
    // Exclusivity is not checked at run time below: nothing that is called while a row is read comes back to the
    // reader.
    /// The entity number of the last row that was taken, and what goes with it; first that of the plan's entity.
    @exclusivity(unchecked) private var lastNumber: Int64
    /// Belongs to the plan.
    @exclusivity(unchecked) private var steps: UnsafeBufferPointer<RowReadPlan.Step>
    @exclusivity(unchecked) private var layoutIndex: Int
    /// The last destination of a to-one whose destinations are of several entities.
    @exclusivity(unchecked) private var lastDestination = (slot: -1, number: Int64(0), index: Int64(-1))
    /// For a to-many of many owners: takes the rows that belong to one.
    @exclusivity(unchecked) var owners: OwnerCollector?
    /// What stopped the reading inside an aggregate function, which cannot throw.
    @exclusivity(unchecked) var failure: (any Error)?
    /// Whether rows were left out because they belong to no entity of the plan.
    @exclusivity(unchecked) private(set) var hasStrays = false
    private let strays: StrayRows

    init(plan: RowReadPlan, expectedCount: Int, externalData: ExternalData, strays: StrayRows) {
        self.plan = plan
        self.strays = strays
        lastNumber = plan.mapping.number
        steps = plan.ownSteps
        layoutIndex = plan.mapping.layout.index
        slab = RowSlab(entity: plan.mapping.layout, hasValues: plan.hasValues, expectedCount: expectedCount)
        slab.timestamp = Date.timeIntervalSinceReferenceDate
        slab.externalData = externalData
    }

    /// Appends one row, unless it is a stray one; `value` gives the value of a column.
    @inline(__always)
    func append(_ value: (Int32) -> OpaquePointer?) throws {
        var owner: Int32 = 0
        if let owners {
            owner = owners.index(of: sqlite3_value_int64(value(owners.column)))
            if owner < 0 { return }
        }
        let reference = sqlite3_value_int64(value(0))
        let number = sqlite3_value_int64(value(1))
        if number != lastNumber || reference < 0, !useSteps(of: number, reference: reference) { return }
        owners?.append(owner)
        slab.appendRow(
            reference: reference, entityIndex: layoutIndex, version: RowSlab.version(sqlite3_value_int64(value(2))))
        for step in steps {
            let source = value(step.column)
            let type = sqlite3_value_type(source)
            if type == SQLITE_NULL { continue }
            let slot = Int(step.slot)
            switch step.form {
            case .integer where type == SQLITE_INTEGER:
                let number = sqlite3_value_int64(source)
                if step.fits(number) {
                    slab.setInteger(slot, number)
                } else {
                    recordDamage(step, source, reference: reference)
                }
            case .reference where type == SQLITE_INTEGER:
                let target = sqlite3_value_int64(source)
                if target < 0 {
                    recordNegative(target, step, reference: reference)
                } else {
                    slab.setInteger(slot, target)
                }
            case .double where type <= SQLITE_FLOAT: slab.setDouble(slot, sqlite3_value_double(source))
            case .text where type == SQLITE_TEXT:
                let bytes = sqlite3_value_text(source)
                slab.setBytes(slot, UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(source))))
            default: appendRare(step, source, type, reference: reference)
            }
        }
    }

    /// - Returns: Whether there are any: false for a stray row.
    @inline(never)
    private func useSteps(of number: Int64, reference: Int64) -> Bool {
        guard reference >= 0, let found = plan.steps(number: number) else {
            hasStrays = true
            strays.record(reference, number: number, in: plan.mapping)
            return false
        }
        steps = found
        layoutIndex = plan.layoutIndex(number: number)
        lastNumber = number
        return true
    }

    @inline(never)
    private func recordNegative(_ target: Int64, _ step: RowReadPlan.Step, reference: Int64) {
        strays.recordReference(
            "is \(target), and no row has a negative primary key. It counts as empty.", column: column(of: step),
            of: reference, in: plan.mapping)
    }

    /// The name of a column for a sentence.
    private func column(of step: RowReadPlan.Step) -> String {
        let entity = plan.store.entities[layoutIndex]
        if step.form == .entity { return entity?.columns[Int(step.slot) - 1]?.entityColumn ?? "" }
        return entity?.columns[Int(step.slot)]?.name ?? ""
    }

    @inline(never)
    private func appendRare(
        _ step: RowReadPlan.Step, _ source: OpaquePointer?, _ type: Int32, reference: Int64
    ) {
        let slot = Int(step.slot)
        switch step.form {
        case .integer, .reference, .double, .text: appendOther(step, source, type, reference: reference)
        case .entity:
            let number = sqlite3_value_int64(source)
            // 0 stands beside an empty foreign key in some stores.
            if number == 0 { return }
            let index = destinationIndex(number, step, reference: reference)
            if index >= 0 { slab.setInteger(slot, index) }
        case .decimal:
            if !setDecimal(slot, source, type) { recordDamage(step, source, reference: reference) }
        case .uuid:
            if type == SQLITE_BLOB, sqlite3_value_bytes(source) == 16 {
                slab.setBytes(slot, Self.bytes(source))
            } else if type == SQLITE_TEXT, let string = SQLFunctionArgument.text(source),
                let uuid = UUID(uuidString: string)
            {
                withUnsafeBytes(of: uuid.uuid) { slab.setBytes(slot, $0) }
            } else {
                recordDamage(step, source, reference: reference)
            }
        case .composite: appendComposite(step, Self.bytes(source), reference: reference)
        case .data where type != SQLITE_BLOB && isOfBytes(step): recordDamage(step, source, reference: reference)
        default: slab.setBytes(slot, Self.bytes(source))
        }
    }

    /// A value that SQLite doesn't keep in the usual form: taken when nothing of it is lost, as when another program
    /// wrote a whole number as a real one or as text.
    private func appendOther(
        _ step: RowReadPlan.Step, _ source: OpaquePointer?, _ type: Int32, reference: Int64
    ) {
        let slot = Int(step.slot)
        if step.form == .text, type != SQLITE_BLOB {
            return slab.setBytes(slot, SQLFunctionArgument.utf8(source))
        }
        // Of text, that of the number that it is, if it is one.
        let numericType = sqlite3_value_numeric_type(source)
        let whole: Int64? =
            switch numericType {
            case SQLITE_INTEGER: sqlite3_value_int64(source)
            case SQLITE_FLOAT: Int64(exactly: sqlite3_value_double(source))
            default: nil
            }
        switch (step.form, whole) {
        case (.integer, let number?) where step.fits(number): slab.setInteger(slot, number)
        case (.reference, let target?):
            if target < 0 {
                recordNegative(target, step, reference: reference)
            } else {
                slab.setInteger(slot, target)
            }
        case (.double, _) where numericType <= SQLITE_FLOAT: slab.setDouble(slot, sqlite3_value_double(source))
        default: recordDamage(step, source, reference: reference)
        }
    }

    /// The leaves of a composite attribute: those that are damaged are left out.
    private func appendComposite(_ step: RowReadPlan.Step, _ bytes: UnsafeRawBufferPointer, reference: Int64) {
        guard let entity = plan.store.entities[layoutIndex], let slot = entity.layout.slots[Int(step.slot)],
            !CompositeCoding.isUsual(bytes, slot.leaves)
        else { return slab.setBytes(Int(step.slot), bytes) }
        let (values, damaged) = CompositeCoding.sound(CompositeCoding.unpack(Data(bytes)), slot.leaves)
        CompositeCoding.pack(values).withUnsafeBytes { slab.setBytes(slot.index, $0) }
        let columns = entity.columns[slot.index]?.leaves ?? []
        for (leaf, found) in damaged where leaf.index < columns.count {
            slab.setDamage(
                slot.index, damage(of: leaf, found, column: columns[leaf.index], entity, reference: reference))
        }
    }

    /// Whether a column has bytes and nothing else; those of attributes without type can have all.
    private func isOfBytes(_ step: RowReadPlan.Step) -> Bool {
        switch plan.store.entities[layoutIndex]?.layout.slots[Int(step.slot)]?.kind {
        case .data, .transformable: true
        default: false
        }
    }

    /// The slot stays null; reading the value is an error.
    @inline(never)
    private func recordDamage(_ step: RowReadPlan.Step, _ source: OpaquePointer?, reference: Int64) {
        guard let entity = plan.store.entities[layoutIndex], let slot = entity.layout.slots[Int(step.slot)] else {
            return
        }
        let found = SQLFunctionArgument.value(source)
        slab.setDamage(
            slot.index, damage(of: slot, found, column: column(of: step), entity, reference: reference))
    }

    private func damage(
        of slot: SlotLayout, _ found: SQLValue, column: String, _ entity: EntityMapping, reference: Int64
    ) -> DamagedValue {
        DamagedValue(
            of: slot, found, entity: entity.layout.name, reference: reference, table: entity.table, column: column,
            path: slab.externalData?.storePath)
    }

    /// The entity of a to-one's destination by its number; negative when the relationship can't lead to such an object,
    /// which is then taken for one of the entity that the relationship is declared with.
    private func destinationIndex(_ number: Int64, _ step: RowReadPlan.Step, reference: Int64) -> Int64 {
        let slot = layoutIndex << 16 | Int(step.slot)
        if lastDestination.number == number, lastDestination.slot == slot { return lastDestination.index }
        // The number stands in the column after the key.
        let declared = plan.store.entities[layoutIndex]?.layout.slots[Int(step.slot) - 1]?.relationship?.destination
        var index: Int64 = -1
        if let declared, let entity = plan.store.entity(number: number)?.layout, entity.isKind(of: declared) {
            index = Int64(entity.index)
        } else {
            strays.recordReference(
                "is the entity number \(number), which is not that of \(declared?.name ?? "") or one of its subentities.",
                column: column(of: step), of: reference, in: plan.mapping)
        }
        lastDestination = (slot, number, index)
        return index
    }

    private static func bytes(_ source: OpaquePointer?) -> UnsafeRawBufferPointer {
        // The blob first: asking for it may change the form, and with it the length.
        let start = sqlite3_value_blob(source)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(source)))
    }

    /// A decimal column holds a number; its shortest string that reads back as the same number is what was meant.
    ///
    /// - Returns: Whether it is a decimal.
    private func setDecimal(_ slot: Int, _ source: OpaquePointer?, _ type: Int32) -> Bool {
        var string: String
        switch type {
        case SQLITE_FLOAT:
            let number = sqlite3_value_double(source)
            guard number.isFinite else { return false }
            string = SQLNumber.string(of: number)
        case SQLITE_INTEGER: string = String(sqlite3_value_int64(source))
        default:
            guard type == SQLITE_TEXT, let text = SQLFunctionArgument.text(source), Decimal.isNumber(text) else {
                return false
            }
            string = text
        }
        string.withUTF8 { slab.setBytes(slot, UnsafeRawBufferPointer($0)) }
        return true
    }
}
