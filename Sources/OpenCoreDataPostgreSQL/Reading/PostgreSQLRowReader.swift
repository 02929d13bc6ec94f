#if PostgreSQL
import Foundation
import OpenCoreData

/// Moves rows from the server's answers into a slab.
final class PostgreSQLRowReader {
    let plan: PostgreSQLReadPlan
    let slab: RowSlab
    /// The entity number of the last row, and what goes with it.
    private var lastNumber: Int64 = -1
    private var steps: [PostgreSQLReadPlan.Step] = []
    private var layoutIndex = 0
    private let cancelling = CancellableRead.current
    private var rowsSinceTick = 0

    init(_ plan: PostgreSQLReadPlan, expecting count: Int = 64) {
        self.plan = plan
        slab = RowSlab(entity: plan.mapping.layout, hasValues: plan.hasValues, expectedCount: count)
        slab.timestamp = Date.timeIntervalSinceReferenceDate
    }

    /// Appends a row; one of an entity that the model doesn't have here is passed over.
    ///
    /// - Returns: Whether it was appended.
    @discardableResult
    func append(_ row: PostgreSQLRow) throws -> Bool {
        if cancelling != nil { try tick() }
        let reference = try row.integer(0)
        let number = try row.integer(1)
        if number != lastNumber {
            guard let found = plan.steps(number: number), let entity = plan.store.entity(number: number) else {
                return false
            }
            (steps, layoutIndex, lastNumber) = (found, entity.layout.index, number)
        }
        guard reference >= 0 else { return false }
        slab.appendRow(
            reference: reference, entityIndex: layoutIndex, version: RowSlab.version(try row.integer(2)))
        for step in steps {
            do {
                try set(step, row)
            } catch let error as PostgreSQLError where error.kind == .unreadableValue {
                recordDamage(step, row, reference: reference, error)
            }
        }
        return true
    }

    @inline(__always)
    private func set(_ step: PostgreSQLReadPlan.Step, _ row: PostgreSQLRow) throws {
        if case .composite(let kinds, let isOptional) = step.form {
            return try appendComposite(row, step, kinds, isOptional: isOptional)
        }
        if row.isNull(step.column) { return }
        switch step.form {
        case .integer: slab.setInteger(step.slot, try row.integer(step.column))
        case .double: slab.setDouble(step.slot, try row.double(step.column))
        case .bytes: slab.setBytes(step.slot, row.bytes(step.column))
        case .array:
            let bytes = row.bytes(step.column)
            if bytes.first == UInt8(ascii: "{") { throw Self.unreadableArray(bytes) }
            slab.setBytes(step.slot, bytes)
        case .date:
            slab.setDouble(step.slot, try row.date(step.column).timeIntervalSinceReferenceDate)
        case .decimal:
            var string = try row.decimal(step.column).description
            string.withUTF8 { slab.setBytes(step.slot, UnsafeRawBufferPointer($0)) }
        case .reference:
            let target = try row.integer(step.column)
            if target >= 0 { slab.setInteger(step.slot, target) }
        case .entity:
            if let index = plan.store.layoutIndex(number: try row.integer(step.column)) {
                slab.setInteger(step.slot, Int64(index))
            }
        case .composite: break
        }
    }

    private static func unreadableArray(_ bytes: UnsafeRawBufferPointer) -> PostgreSQLError {
        var error = PostgreSQLError(.unreadableValue, "An array has several dimensions, or NULL among its elements.")
        error.found = "the array \(String(decoding: bytes.prefix(100), as: UTF8.self))"
        return error
    }

    /// The slot stays null; who asks for the value gets an error.
    @inline(never)
    private func recordDamage(
        _ step: PostgreSQLReadPlan.Step, _ row: PostgreSQLRow, reference: Int64, _ error: PostgreSQLError
    ) {
        guard let entity = plan.store.entities[layoutIndex], let slot = entity.layout.slots[step.slot] else {
            return
        }
        let column = error.column ?? row.name(step.column)
        slab.setDamage(
            slot.index,
            DamagedValue(
                entity: entity.layout.name, property: slot.name, reference: reference,
                place: "row \(reference) of table \(entity.table), column \(column)",
                found: error.found ?? error.message,
                expected: step.form.expected ?? DamagedValue.expected(slot.kind), isForeign: true))
    }

    private func appendComposite(
        _ row: PostgreSQLRow, _ step: PostgreSQLReadPlan.Step, _ kinds: [SlotKind], isOptional: Bool
    ) throws {
        let values = try kinds.indices.map { index -> SQLValue in
            let column = step.column + index
            // A composite in memory has its decimals as a file has them.
            guard kinds[index] == .decimal, !row.isNull(column) else { return try row.value(column) }
            return SQLNumber.value(of: try row.decimal(column))
        }
        if isOptional, values.allSatisfy({ $0 == .null }) { return }
        CompositeCoding.pack(values).withUnsafeBytes { slab.setBytes(step.slot, $0) }
    }

    private func tick() throws {
        rowsSinceTick += 1
        guard rowsSinceTick >= 256 else { return }
        rowsSinceTick = 0
        if let cancelling, cancelling.tick() { throw CocoaError(.userCancelled) }
    }
}

extension PostgreSQLRow {
    /// A column's value in the forms of the shared SQL: a date is its seconds, a decimal the text of its digits.
    func value(_ column: Int) throws -> SQLValue {
        if isNull(column) { return .null }
        switch type(column) {
        case .bool, .int2, .int4, .int8, .oid: return .integer(try integer(column))
        case .float4, .float8: return .real(try double(column))
        case .numeric: return .text(try decimal(column).description)
        case .timestamptz: return .real(try date(column).timeIntervalSinceReferenceDate)
        case .uuid, .bytea: return .blob(data(column))
        default: return .text(string(column))
        }
    }

    /// A column's value as slots of a kind have it.
    func propertyValue(_ column: Int, kind: SlotKind) throws -> PropertyValue {
        if isNull(column) { return .null }
        switch (type(column), kind) {
        case (.numeric, .decimal), (.numeric, .undefined): return .decimal(DecimalBox(try decimal(column)))
        case (.numeric, _):
            let decimal = try decimal(column)
            switch kind {
            case .double, .float, .date: return .double(Double(decimal.description) ?? .nan)
            case .integer16, .integer32, .integer64, .boolean:
                return PropertyValue(SQLNumber.value(of: decimal), kind: kind)
            default: return .string(decimal.description)
            }
        case (.uuid, _): return .uuid(try uuid(column))
        case (.float8, .string), (.float8, .decimal), (.int8, .string):
            return PropertyValue(try value(column), kind: kind)
        default: return PropertyValue(try value(column), kind: kind)
        }
    }
}
#endif
