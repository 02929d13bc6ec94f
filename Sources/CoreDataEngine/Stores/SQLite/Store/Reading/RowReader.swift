import CSQLite
import Foundation

/// Moves rows from SQLite's values into a slab.
///
/// Works in two ways that share everything: from a statement's current row, and from the arguments of an aggregate
/// function, which saves SQLite the way back to the caller for each row.
final class RowReader {
    let plan: RowReadPlan
    let slab: RowSlab
    // Exclusivity is not checked at run time below: nothing that is called while a row is read comes back to the reader.
    @exclusivity(unchecked) private var lastNumber: Int64 = -1
    /// Belongs to the plan.
    @exclusivity(unchecked) private var steps = UnsafeBufferPointer<RowReadPlan.Step>(start: nil, count: 0)
    @exclusivity(unchecked) private var layoutIndex = 0
    /// For a to-many of many owners: takes the rows that belong to one.
    @exclusivity(unchecked) var owners: OwnerCollector?
    /// What stopped the reading inside an aggregate function, which cannot throw.
    @exclusivity(unchecked) var failure: (any Error)?

    init(plan: RowReadPlan, expectedCount: Int, externalData: ExternalData) {
        self.plan = plan
        slab = RowSlab(entity: plan.mapping.layout, hasValues: plan.hasValues, expectedCount: expectedCount)
        slab.timestamp = Date.timeIntervalSinceReferenceDate
        slab.externalData = externalData
    }

    /// Appends one row; `value` gives the value of a column.
    @inline(__always)
    func append(_ value: (Int32) -> OpaquePointer?) throws {
        if let owners, !owners.takes(sqlite3_value_int64(value(owners.column))) { return }
        let reference = sqlite3_value_int64(value(0))
        let number = sqlite3_value_int64(value(1))
        if number != lastNumber { try useSteps(of: number, reference: reference) }
        slab.appendRow(reference: reference, entityIndex: layoutIndex, version: sqlite3_value_int64(value(2)))
        for step in steps {
            let source = value(step.column)
            let type = sqlite3_value_type(source)
            if type == SQLITE_NULL { continue }
            let slot = Int(step.slot)
            switch step.form {
            case .integer: slab.setInteger(slot, sqlite3_value_int64(source))
            case .double: slab.setDouble(slot, sqlite3_value_double(source))
            case .text:
                let text = sqlite3_value_text(source)
                slab.setBytes(slot, UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(source))))
            default: try appendRare(step, source, type, reference: reference)
            }
        }
    }

    @inline(never)
    private func useSteps(of number: Int64, reference: Int64) throws {
        guard let found = plan.steps(number: number) else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The row \(reference) of table \(plan.mapping.table) has the entity number \(number), "
                    + "which is not that of \(plan.mapping.layout.name) or one of its subentities.")
        }
        steps = found
        layoutIndex = plan.layoutIndex(number: number)
        lastNumber = number
    }

    @inline(never)
    private func appendRare(
        _ step: RowReadPlan.Step, _ source: OpaquePointer?, _ type: Int32, reference: Int64
    ) throws {
        let slot = Int(step.slot)
        switch step.form {
        case .entity:
            let number = sqlite3_value_int64(source)
            // 0 stands beside an empty foreign key in some stores.
            if number == 0 { return }
            guard let index = plan.store.layoutIndex(number: number) else {
                throw CoreDataError.make(
                    NSPersistentStoreIncompatibleSchemaError,
                    "The row \(reference) of table \(plan.mapping.table) points to a row of the entity number "
                        + "\(number), which the model does not have.")
            }
            slab.setInteger(slot, Int64(index))
        case .decimal: setDecimal(slot, source, type)
        case .uuid where type == SQLITE_TEXT:
            if let text = SQLFunctionArgument.text(source), let uuid = UUID(uuidString: text) {
                withUnsafeBytes(of: uuid.uuid) { slab.setBytes(slot, $0) }
            }
        default: slab.setBytes(slot, Self.bytes(source))
        }
    }

    private static func bytes(_ source: OpaquePointer?) -> UnsafeRawBufferPointer {
        // The blob first: asking for it may change the form, and with it the length.
        let start = sqlite3_value_blob(source)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(source)))
    }

    /// A decimal column holds a number; its shortest text that reads back as the same number is what was meant.
    private func setDecimal(_ slot: Int, _ source: OpaquePointer?, _ type: Int32) {
        var text =
            type == SQLITE_FLOAT
            ? SQLNumber.text(of: sqlite3_value_double(source)) : SQLFunctionArgument.text(source) ?? "0"
        text.withUTF8 { slab.setBytes(slot, UnsafeRawBufferPointer($0)) }
    }
}

/// Numbers as SQL reads and writes them.
enum SQLNumber {
    /// The shortest text that reads back as the same number, without an exponent where that is short enough.
    static func text(of number: Double) -> String {
        if let integer = Int64(exactly: number), abs(integer) < 1 << 53 { return String(integer) }
        return number.description
    }
}
