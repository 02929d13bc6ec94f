#if PostgreSQL
import Foundation
import OpenCoreData

/// The statements that recompute derived attributes of rows that changes may have affected.
struct DerivedStatements {
    struct Target {
        var entity: EntityMapping
        var slot: SlotLayout
        var statement: PostgreSQLStatement
    }

    let statements: [Target]
    private let store: StoreMapping

    /// - Parameter plan: What was written.
    init(_ runtime: PostgreSQLRuntime, plan: SavePlan) {
        store = runtime.mapping
        guard !runtime.derived.isEmpty else {
            statements = []
            return
        }
        var written: [Int: [Int64]] = [:]
        for change in plan.inserts + plan.updates {
            written[change.entity.root.index, default: []].append(change.reference)
        }
        for change in plan.hiddenOwners {
            if let owner = change.owner { written[change.relationship.owner.root.index, default: []].append(owner) }
            if let owner = change.formerOwner {
                written[change.relationship.owner.root.index, default: []].append(owner)
            }
        }
        statements = runtime.derived.compactMap { attribute in
            attribute.statement({ written[$0.root] }).map {
                Target(entity: attribute.entity, slot: attribute.slot, statement: $0)
            }
        }
    }

    /// What was computed, out of the results of the statements.
    func changes(_ results: [PostgreSQLResult]) throws -> [DerivedChange] {
        var changes: [DerivedChange] = []
        for (target, result) in zip(statements, results) {
            try result.forEachRow { row in
                guard let entity = store.entity(number: try row.integer(1))?.layout else { return }
                changes.append(
                    DerivedChange(
                        entity: entity, reference: try row.integer(0), slot: target.slot.index,
                        value: try row.propertyValue(2, kind: target.slot.kind)))
            }
        }
        return changes
    }
}

/// A derived attribute: how its values are computed, and which rows a change touches.
struct DerivedAttribute: Sendable {
    let entity: EntityMapping
    let slot: SlotLayout
    private let column: String
    private let type: PostgreSQLType
    private let schema: PostgreSQLSchema
    /// The value for a row `t`.
    private let value: String
    /// The rows whose changes matter; first those that have the attribute.
    let touches: [Touch]

    /// Rows whose changes matter to a derived attribute.
    struct Touch: Sendable {
        /// The `EntityLayout.index` of their root.
        var root: Int
        /// Which rows `t` they touch: `$?` represents their keys in `= ANY($?)`.
        var condition: String
        /// The columns whose values matter, as `table.column`; nil where any change does.
        var columns: Set<String>?
    }

    /// A column as `Touch` has it.
    static func name(_ column: String, in table: String) -> String { "\(table).\(column)" }

    /// The column of the attribute, as `Touch` has it.
    var columnName: String { Self.name(column, in: entity.table) }

    /// - Returns: `nil` for an expression of a form that is not known.
    init?(_ slot: SlotLayout, of entity: EntityMapping, in schema: PostgreSQLSchema) {
        guard let attribute = slot.property as? NSDerivedAttributeDescription, let column = entity.column(slot),
            let derivation = attribute.derivationExpression.flatMap(Derivation.init)
        else { return nil }
        self.entity = entity
        self.slot = slot
        self.schema = schema
        self.column = column.name
        type = schema.type(of: column.name, in: entity.table)
        let key = SQLName.quoted(PostgreSQLSchema.system.key)
        let parts = Parts(entity, schema, derivation, key)
        guard let value = parts.value else { return nil }
        // Functions of strings have collations of their own.
        self.value = type == .text ? "((\(value)) COLLATE \"C\")" : value
        let own = Touch(
            root: entity.layout.root.index, condition: "t.\(key) = ANY($?)", columns: parts.ownColumns)
        touches = [own] + parts.touched
    }

    /// A select of the rows that changes of some rows touch.
    ///
    /// - Parameter keys: The keys of those, as a list or a select in parentheses.
    func touchedRows(_ touch: Touch, keys: String) -> String {
        let condition = touch.condition.replacing("= ANY($?)", with: "IN \(keys)")
        return "SELECT t.\(SQLName.quoted(PostgreSQLSchema.system.key)) FROM \(schema.qualified(entity.table)) t "
            + "WHERE \(condition)"
    }

    /// The statement for rows that changes of rows with some keys touch; `nil` where they touch none.
    ///
    /// - Parameter keys: Gives the keys of the rows that were changed.
    func statement(_ keys: (Touch) -> [Int64]?) -> PostgreSQLStatement? {
        var parameters = PostgreSQLParameters()
        var conditions: [String] = []
        for touch in touches {
            guard let keys = keys(touch), !keys.isEmpty else { continue }
            parameters.append(SaveStatements.array(keys))
            conditions.append(touch.condition.replacing("$?", with: "$\(parameters.count)::int8[]"))
        }
        return conditions.isEmpty ? nil : statement(" AND (\(conditions.joined(separator: " OR ")))", parameters)
    }

    /// The statement for all rows.
    var statementForAll: PostgreSQLStatement { statement("", PostgreSQLParameters()) }

    private func statement(_ rows: String, _ parameters: PostgreSQLParameters) -> PostgreSQLStatement {
        let key = SQLName.quoted(PostgreSQLSchema.system.key)
        let number = SQLName.quoted(PostgreSQLSchema.system.entity)
        let members = entity.layout.subtree.compactMap { schema.mapping[$0]?.number }.map(String.init)
        let table = schema.qualified(entity.table)
        let name = SQLName.quoted(column)
        return PostgreSQLStatement(
            "UPDATE \(table) AS r SET \(name) = x.v FROM (SELECT t.\(key) AS k, (\(value))::\(type.sqlName) AS v "
                + "FROM \(table) t WHERE t.\(number) IN (\(members.joined(separator: ", ")))\(rows)) AS x "
                + "WHERE r.\(key) = x.k AND r.\(name) IS DISTINCT FROM x.v "
                + "RETURNING r.\(key), r.\(number), r.\(name)", parameters)
    }

    /// The value of a derivation and what it depends on beside the row itself.
    private struct Parts {
        var value: String?
        /// The columns of the row itself that it depends on; nil where any change matters.
        var ownColumns: Set<String>? = []
        var touched: [Touch] = []

        init(_ entity: EntityMapping, _ schema: PostgreSQLSchema, _ derivation: Derivation, _ key: String) {
            func wrapped(_ value: String) -> String {
                switch derivation.function {
                case nil: value
                case "UPPER": "upper(\(value) COLLATE \"und-x-icu\")"
                case "LOWER": "lower(\(value) COLLATE \"und-x-icu\")"
                default: "\(schema.qualified("ocd_canonical"))(\(value))"
                }
            }
            switch derivation.source {
            case .now:
                value = "clock_timestamp()"
                ownColumns = nil
            case .own(let property):
                guard let column = Self.column(property, entity) else { return }
                value = wrapped("t.\(SQLName.quoted(column))")
                ownColumns = [DerivedAttribute.name(column, in: entity.table)]
            case .related(let name, let property):
                if let leaf = Self.column("\(name).\(property)", entity) {
                    value = wrapped("t.\(SQLName.quoted(leaf))")
                    ownColumns = [DerivedAttribute.name(leaf, in: entity.table)]
                    return
                }
                guard let relationship = entity.layout.relationship(named: name),
                    let destination = schema.mapping[relationship.destination],
                    case .toOne(let toOne) = entity.mapping(relationship),
                    let source = Self.column(property, destination)
                else { return }
                let reference = "t.\(SQLName.quoted(toOne.name))"
                value =
                    "SELECT \(wrapped("d.\(SQLName.quoted(source))")) FROM \(schema.qualified(destination.table)) d "
                    + "WHERE d.\(key) = \(reference)"
                ownColumns = [DerivedAttribute.name(toOne.name, in: entity.table)]
                touched = [
                    Touch(
                        root: destination.layout.root.index, condition: "\(reference) = ANY($?)",
                        columns: [DerivedAttribute.name(source, in: destination.table)])
                ]
            case .count(let name): addMembers(name, nil, entity, schema, key) { _ in "COUNT(*)" }
            case .aggregate(let function, let name, let property):
                addMembers(name, property, entity, schema, key) { source in
                    function == "SUM" ? "COALESCE(SUM(\(source)), 0)" : "\(function)(\(source))"
                }
            }
        }

        /// The column of an attribute or of an element of a composite one.
        private static func column(_ name: String, _ entity: EntityMapping) -> String? {
            if let slot = entity.layout.slot(named: name) { return entity.column(slot)?.name }
            let head = String(name.prefix { $0 != "." })
            guard let slot = entity.layout.slot(named: head), let column = entity.column(slot),
                let leaf = slot.leaves.first(where: { $0.name == name })
            else { return nil }
            return column.leaves[leaf.index]
        }

        /// - Parameter property: The attribute of the members that is summed up, and so on; nil for none.
        private mutating func addMembers(
            _ name: String, _ property: String?, _ entity: EntityMapping, _ schema: PostgreSQLSchema, _ key: String,
            _ call: (_ source: String) -> String
        ) {
            guard let relationship = entity.layout.relationship(named: name),
                let destination = schema.mapping[relationship.destination]
            else { return }
            var columns: Set<String> = []
            var source = ""
            if let property {
                guard let column = Self.column(property, destination) else { return }
                source = "d.\(SQLName.quoted(column))"
                columns.insert(DerivedAttribute.name(column, in: destination.table))
            }
            let table = schema.qualified(destination.table)
            let condition: String
            switch entity.mapping(relationship) {
            case .inverse(_, let column), .hidden(_, let column):
                let owner = SQLName.quoted(column.name)
                value = "SELECT \(call(source)) FROM \(table) d WHERE d.\(owner) = t.\(key)"
                condition = "t.\(key) IN (SELECT d.\(owner) FROM \(table) d WHERE d.\(key) = ANY($?))"
                columns.insert(DerivedAttribute.name(column.name, in: destination.table))
            case .join(let join):
                let pairs = join.source(PostgreSQLDialect(schema: schema.name)).sql
                let (owner, member) = (SQLName.quoted(join.ownerColumn), SQLName.quoted(join.destinationColumn))
                value =
                    "SELECT \(call(source)) FROM \(pairs) j JOIN \(table) d ON d.\(key) = j.\(member) "
                    + "WHERE j.\(owner) = t.\(key)"
                condition = "t.\(key) IN (SELECT j.\(owner) FROM \(pairs) j WHERE j.\(member) = ANY($?))"
            case .toOne, .none: return
            }
            touched = [Touch(root: destination.layout.root.index, condition: condition, columns: columns)]
        }
    }
}
#endif
