import CSQLite

/// Which columns a fetch reads and where each value goes, worked out once for an entity and kept.
///
/// The select list begins with `Z_PK`, `Z_ENT` and `Z_OPT`. Subentities use the same slots for different properties, so
/// there is a list of steps for each entity that a row can be of.
final class RowReadPlan: Sendable {
    /// How a column's value becomes the content of a slot.
    enum Form: UInt8, Sendable {
        case integer, double, text, data, uuid, decimal
        /// The number of the destination's entity, kept as its place in the model.
        case entity
    }

    struct Step: Sendable {
        var column: Int32
        var slot: Int32
        var form: Form
    }

    /// Number of columns before those of the properties.
    static let headerColumns: Int32 = 3

    let mapping: EntityMapping
    let store: StoreMapping
    let hasValues: Bool
    /// Names of the columns after the header.
    let columnNames: [String]
    /// Number of all columns.
    var columnCount: Int32 { Self.headerColumns + Int32(columnNames.count) }
    /// By entity number; `nil` for a number that rows of this fetch cannot have.
    private let stepsByNumber: [ContiguousArray<Step>?]
    private let layoutIndexByNumber: [Int]

    init(mapping: EntityMapping, store: StoreMapping, hasValues: Bool) {
        self.mapping = mapping
        self.store = store
        self.hasValues = hasValues
        var columns: [String] = []
        var placeByName: [String: Int32] = [:]
        func place(of name: String) -> Int32 {
            if let place = placeByName[name] { return place }
            let place = Self.headerColumns + Int32(columns.count)
            placeByName[name] = place
            columns.append(name)
            return place
        }
        let members = mapping.layout.subtree.compactMap { store[$0] }
        var steps = [ContiguousArray<Step>?](repeating: nil, count: Int(members.map(\.number).max() ?? 0) + 1)
        var indexes = [Int](repeating: 0, count: steps.count)
        for member in members {
            indexes[Int(member.number)] = member.layout.index
            steps[Int(member.number)] = hasValues ? Self.steps(of: member, place: place) : []
        }
        columnNames = columns
        stepsByNumber = steps
        layoutIndexByNumber = indexes
    }

    private static func steps(of member: EntityMapping, place: (String) -> Int32) -> ContiguousArray<Step> {
        var steps: ContiguousArray<Step> = []
        for case let slot? in member.layout.slots {
            guard let column = member.columns[slot.index] else { continue }
            steps.append(
                Step(column: place(column.name), slot: Int32(slot.index), form: form(of: slot)))
            if let entitySlot = slot.entitySlot, let name = column.entityColumn {
                steps.append(Step(column: place(name), slot: Int32(entitySlot), form: .entity))
            }
        }
        return steps
    }

    private static func form(of slot: SlotLayout) -> Form {
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean, .toOne: .integer
        case .double, .float, .date: .double
        case .string, .uri: .text
        case .uuid: .uuid
        case .decimal: .decimal
        case .data, .transformable, .objectID, .composite, .undefined: .data
        }
    }

    @inline(__always)
    func steps(number: Int64) -> ContiguousArray<Step>? {
        guard number > 0, number < stepsByNumber.count else { return nil }
        return stepsByNumber[Int(number)]
    }

    @inline(__always)
    func layoutIndex(number: Int64) -> Int { layoutIndexByNumber[Int(number)] }

    /// The select list for rows of the table that goes by `alias`.
    func selectList(alias: String) -> String {
        (["Z_PK", "Z_ENT", "Z_OPT"] + columnNames).map { "\(alias).\(SQLName.quotedIfNeeded($0))" }.joined(separator: ", ")
    }
}
