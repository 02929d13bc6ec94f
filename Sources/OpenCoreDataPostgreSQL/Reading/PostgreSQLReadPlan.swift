#if PostgreSQL
import OpenCoreData

/// Which columns a fetch reads and where each value goes, worked out once for an entity and kept.
///
/// The select list begins with key, entity and version. Subentities use the same slots for different properties, so there is
/// a list of steps for each entity that a row can be of.
final class PostgreSQLReadPlan: Sendable {
    /// How a column's value becomes the content of a slot.
    enum Form: Sendable {
        case integer, double, bytes, date, decimal, reference, entity
        /// JSON that the server made of an array, unless that has more than a list of values.
        case array
        /// The columns from the step's on, as one value.
        case composite(kinds: [SlotKind], isOptional: Bool)

        /// What a readable value would be; nil where its kind says that.
        var expected: String? { if case .array = self { "an array of one dimension without NULL" } else { nil } }
    }

    struct Step: Sendable {
        var column: Int
        var slot: Int
        var form: Form
    }

    let mapping: EntityMapping
    let store: StoreMapping
    let hasValues: Bool
    private let columns: [String]
    private let stepsByNumber: [Int64: [Step]]
    private let dialect: PostgreSQLDialect
    private let usualSelectList: String
    private static let usualAlias = "t0"
    private static let headerCount = 3

    /// Number of all columns.
    var columnCount: Int { Self.headerCount + columns.count }

    init(
        mapping: EntityMapping, store: StoreMapping, hasValues: Bool, dialect: PostgreSQLDialect,
        existing: ExistingTable? = nil
    ) {
        self.mapping = mapping
        self.store = store
        self.hasValues = hasValues
        self.dialect = dialect
        var columns: [String] = []
        var indexes: [String: Int] = [:]
        func index(of column: String) -> Int {
            if let index = indexes[column] { return index }
            indexes[column] = Self.headerCount + columns.count
            columns.append(column)
            return Self.headerCount + columns.count - 1
        }
        var stepsByNumber: [Int64: [Step]] = [:]
        for member in mapping.layout.subtree.compactMap({ store[$0] }) {
            var steps: [Step] = []
            for case let slot? in hasValues ? member.layout.slots : [] {
                guard let column = member.columns[slot.index] else { continue }
                if !column.leaves.isEmpty {
                    // The leaves of an attribute are columns of their own, which stand side by side.
                    let first = column.leaves.map(index).first ?? 0
                    let form = Form.composite(kinds: slot.leaves.map(\.kind), isOptional: slot.isOptional)
                    steps.append(Step(column: first, slot: slot.index, form: form))
                    continue
                }
                var form = Self.form(of: slot.kind)
                if case .array? = existing?.columns[column.name]?.json { form = .array }
                steps.append(Step(column: index(of: column.name), slot: slot.index, form: form))
                if let entitySlot = slot.entitySlot, let name = column.entityColumn {
                    steps.append(Step(column: index(of: name), slot: entitySlot, form: .entity))
                }
            }
            stepsByNumber[member.number] = steps
        }
        self.columns = columns
        self.stepsByNumber = stepsByNumber
        usualSelectList = Self.selectList(columns, Self.usualAlias, dialect)
    }

    private static func form(of kind: SlotKind) -> Form {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .toOne: .reference
        case .double, .float: .double
        case .date: .date
        case .decimal: .decimal
        case .string, .uri, .uuid, .data, .transformable, .objectID, .composite, .undefined: .bytes
        }
    }

    /// The steps for rows of an entity; `nil` for a number that rows of this fetch cannot have.
    func steps(number: Int64) -> [Step]? { stepsByNumber[number] }

    /// The select list for rows of the table that goes by `alias`.
    func selectList(alias: String) -> String {
        alias == Self.usualAlias ? usualSelectList : Self.selectList(columns, alias, dialect)
    }

    private static func selectList(_ columns: [String], _ alias: String, _ dialect: PostgreSQLDialect) -> String {
        let system = PostgreSQLSchema.system
        return ([system.key, system.entity, system.version] + columns).map { "\(alias).\(dialect.quoted($0))" }
            .joined(separator: ", ")
    }
}
#endif
