/// Which columns a fetch reads and where each value goes, worked out once for an entity and kept.
///
/// The select list begins with `Z_PK`, `Z_ENT` and `Z_OPT`. Subentities use the same slots for different properties, so
/// there is a list of steps for each entity that a row can be of.
// @unchecked Sendable because the steps are written in the initializer, before anybody else has the plan, and freed with it.
package final class RowReadPlan: @unchecked Sendable {
    /// How a column's value becomes the content of a slot.
    package enum Form: UInt8, Sendable {
        case integer, double, text, data, uuid, decimal
        /// The leaves of a composite attribute, as `CompositeCoding` packs them.
        case composite
        /// The primary key of a to-one's destination.
        case reference
        /// The number of the destination's entity, kept as its index in the model.
        case entity
    }

    package struct Step: Sendable {
        package var column: Int32
        package var slot: Int32
        package var form: Form
        /// For an integer: how many of the 64 bits the attribute's type has not.
        package var unusedBits: UInt8 = 0
    }

    /// Number of columns before those of the properties.
    package static let headerColumns: Int32 = 3

    package let mapping: EntityMapping
    package let store: StoreMapping
    package let hasValues: Bool
    /// What is read after the header.
    private let columns: [SelectedColumn]
    /// Number of all columns.
    package var columnCount: Int32 { Self.headerColumns + Int32(columns.count) }
    /// By entity number; `nil` for a number that rows of this fetch cannot have.
    private let stepsByNumber: [UnsafeBufferPointer<Step>?]
    private let layoutIndexByNumber: [Int]
    /// The steps for rows of the plan's entity itself.
    package let ownSteps: UnsafeBufferPointer<Step>
    /// The select list for the table by the name that all fetches give it.
    private let usualSelectList: String
    private let dialect: any SQLDialect
    private static let usualAlias = "t0"

    package init(mapping: EntityMapping, store: StoreMapping, hasValues: Bool, dialect: any SQLDialect) {
        self.mapping = mapping
        self.store = store
        self.hasValues = hasValues
        self.dialect = dialect
        var columns: [SelectedColumn] = []
        var positionByColumn: [SelectedColumn: Int32] = [:]
        func position(of column: SelectedColumn) -> Int32 {
            if let position = positionByColumn[column] { return position }
            let position = Self.headerColumns + Int32(columns.count)
            positionByColumn[column] = position
            columns.append(column)
            return position
        }
        // The schema has only entities whose numbers are small (`SQLSchema.entityNumbers`).
        let members = mapping.layout.subtree.compactMap { store[$0] }
        var steps = [UnsafeBufferPointer<Step>?](repeating: nil, count: Int(members.map(\.number).max() ?? 0) + 1)
        var indexes = [Int](repeating: 0, count: steps.count)
        for member in members {
            indexes[Int(member.number)] = member.layout.index
            steps[Int(member.number)] = Self.kept(hasValues ? Self.steps(of: member, position: position) : [])
        }
        self.columns = columns
        stepsByNumber = steps
        ownSteps = steps[Int(mapping.number)] ?? UnsafeBufferPointer(start: nil, count: 0)
        layoutIndexByNumber = indexes
        usualSelectList = Self.selectList(columns, mapping.system, alias: Self.usualAlias, dialect)
    }

    deinit {
        for steps in stepsByNumber { steps?.deallocate() }
    }

    /// The steps in memory that is walked without counting references, once for each row.
    private static func kept(_ steps: ContiguousArray<Step>) -> UnsafeBufferPointer<Step> {
        let buffer = UnsafeMutableBufferPointer<Step>.allocate(capacity: steps.count)
        _ = buffer.initialize(from: steps)
        return UnsafeBufferPointer(buffer)
    }

    private static func steps(of member: EntityMapping, position: (SelectedColumn) -> Int32) -> ContiguousArray<Step> {
        var steps: ContiguousArray<Step> = []
        for case let slot? in member.layout.slots {
            guard let column = member.columns[slot.index] else { continue }
            steps.append(
                Step(
                    column: position(
                        column.leaves.isEmpty
                            ? .value(column.name) : .composite(column.leaves, isOptional: slot.isOptional)),
                    slot: Int32(slot.index), form: form(of: slot), unusedBits: slot.kind.unusedBits))
            if let entitySlot = slot.entitySlot, let name = column.entityColumn {
                steps.append(Step(column: position(.value(name)), slot: Int32(entitySlot), form: .entity))
            }
        }
        return steps
    }

    private static func form(of slot: SlotLayout) -> Form {
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .toOne: .reference
        case .double, .float, .date: .double
        case .string, .uri: .text
        case .uuid: .uuid
        case .decimal: .decimal
        case .composite: .composite
        case .data, .transformable, .objectID, .undefined: .data
        }
    }

    @inline(__always)
    package func steps(number: Int64) -> UnsafeBufferPointer<Step>? {
        guard number > 0, number < stepsByNumber.count else { return nil }
        return stepsByNumber[Int(number)]
    }

    @inline(__always)
    package func layoutIndex(number: Int64) -> Int { layoutIndexByNumber[Int(number)] }

    /// The select list for rows of the table that goes by `alias`.
    package func selectList(alias: String) -> String {
        alias == Self.usualAlias ? usualSelectList : Self.selectList(columns, mapping.system, alias: alias, dialect)
    }

    private static func selectList(
        _ columns: [SelectedColumn], _ system: SystemColumns, alias: String, _ dialect: any SQLDialect
    ) -> String {
        let header = [system.key, system.entity, system.version].map { SelectedColumn.value($0) }
        return (header + columns).map { $0.sql(alias: alias, dialect) }.joined(separator: ", ")
    }

    private enum SelectedColumn: Hashable {
        case value(String)
        /// The columns of a composite attribute, read as one value.
        case composite([String], isOptional: Bool)

        func sql(alias: String, _ dialect: any SQLDialect) -> String {
            func quoted(_ name: String) -> String { "\(alias).\(dialect.quoted(name))" }
            return switch self {
            case .value(let name): quoted(name)
            case .composite(let names, let isOptional):
                dialect.composite(SQLFragment(names.map(quoted).joined(separator: ",")), isOptional: isOptional).sql
            }
        }
    }
}

extension RowReadPlan.Step {
    /// Whether an integer is one that the attribute's type can have.
    @inline(__always)
    package func fits(_ number: Int64) -> Bool {
        (number &<< Int64(unusedBits)) &>> Int64(unusedBits) == number
    }
}
