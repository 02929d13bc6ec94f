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
                attribute.statement(keysByRoot: written).map {
                    Target(entity: attribute.entity, slot: attribute.slot, statement: $0)
                }
            }
        }

        /// All rows, after a batch whose traces are not known one by one.
        init(all runtime: PostgreSQLRuntime) {
            store = runtime.mapping
            statements = runtime.derived.compactMap { attribute in
                attribute.statement(keysByRoot: nil).map {
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
        /// Roots of rows whose changes matter, and for each which rows `t` they touch, given `$n`.
        private let touched: [(root: Int, condition: String)]

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
            let own = (root: entity.layout.root.index, condition: "t.\(key) = ANY($?)")
            let parts = Parts(entity, schema, derivation, key)
            guard let value = parts.value else { return nil }
            // Functions of strings have collations of their own.
            self.value = type == .text ? "((\(value)) COLLATE \"C\")" : value
            touched = [own] + parts.touched
        }

        /// The statement for rows that changes of rows with some keys touch; `nil` where they touch none.
        ///
        /// - Parameter keysByRoot: By `EntityLayout.index` of the root; nil for all rows.
        func statement(keysByRoot: [Int: [Int64]]?) -> PostgreSQLStatement? {
            var parameters = PostgreSQLParameters()
            var conditions: [String] = []
            for (root, condition) in touched {
                guard let keysByRoot else { break }
                guard let keys = keysByRoot[root], !keys.isEmpty else { continue }
                parameters.append(SaveStatements.array(keys))
                conditions.append(condition.replacing("$?", with: "$\(parameters.count)::int8[]"))
            }
            if keysByRoot != nil, conditions.isEmpty { return nil }
            let key = SQLName.quoted(PostgreSQLSchema.system.key)
            let number = SQLName.quoted(PostgreSQLSchema.system.entity)
            let members = entity.layout.subtree.compactMap { schema.mapping[$0]?.number }.map(String.init)
            let table = schema.qualified(entity.table)
            let name = SQLName.quoted(column)
            let rows = conditions.isEmpty ? "" : " AND (\(conditions.joined(separator: " OR ")))"
            return PostgreSQLStatement(
                "UPDATE \(table) AS r SET \(name) = x.v FROM (SELECT t.\(key) AS k, (\(value))::\(type.sqlName) AS v "
                    + "FROM \(table) t WHERE t.\(number) IN (\(members.joined(separator: ", ")))\(rows)) AS x "
                    + "WHERE r.\(key) = x.k AND r.\(name) IS DISTINCT FROM x.v "
                    + "RETURNING r.\(key), r.\(number), r.\(name)", parameters)
        }

        /// The value of a derivation and what it depends on beside the row itself.
        private struct Parts {
            var value: String?
            var touched: [(root: Int, condition: String)] = []

            init(_ entity: EntityMapping, _ schema: PostgreSQLSchema, _ derivation: Derivation, _ key: String) {
                func wrapped(_ value: String) -> String {
                    switch derivation.function {
                    case nil: value
                    case "UPPER": "upper(\(value) COLLATE \"und-x-icu\")"
                    case "LOWER": "lower(\(value) COLLATE \"und-x-icu\")"
                    default: "\(schema.qualified("ocd_canonical"))(\(value))"
                    }
                }
                func column(_ name: String, _ entity: EntityMapping, _ alias: String) -> String? {
                    if let slot = entity.layout.slot(named: name) {
                        return entity.column(slot).map { "\(alias).\(SQLName.quoted($0.name))" }
                    }
                    let head = String(name.prefix { $0 != "." })
                    guard let slot = entity.layout.slot(named: head), let column = entity.column(slot),
                        let leaf = slot.leaves.first(where: { $0.name == name })
                    else { return nil }
                    return "\(alias).\(SQLName.quoted(column.leaves[leaf.index]))"
                }
                switch derivation.source {
                case .now: value = "clock_timestamp()"
                case .own(let property): value = column(property, entity, "t").map(wrapped)
                case .related(let name, let property):
                    if let leaf = column("\(name).\(property)", entity, "t") {
                        value = wrapped(leaf)
                        return
                    }
                    guard let relationship = entity.layout.relationship(named: name),
                        let destination = schema.mapping[relationship.destination],
                        case .toOne(let toOne) = entity.mapping(relationship),
                        let source = column(property, destination, "d")
                    else { return }
                    let reference = "t.\(SQLName.quoted(toOne.name))"
                    value =
                        "SELECT \(wrapped(source)) FROM \(schema.qualified(destination.table)) d "
                        + "WHERE d.\(key) = \(reference)"
                    touched = [(destination.layout.root.index, "\(reference) = ANY($?)")]
                case .count(let name):
                    addMembers(name, entity, schema, key) { _ in "COUNT(*)" }
                case .aggregate(let function, let name, let property):
                    addMembers(name, entity, schema, key) { destination in
                        guard let source = column(property, destination, "d") else { return nil }
                        return function == "SUM" ? "COALESCE(SUM(\(source)), 0)" : "\(function)(\(source))"
                    }
                }
            }

            private mutating func addMembers(
                _ name: String, _ entity: EntityMapping, _ schema: PostgreSQLSchema, _ key: String,
                _ call: (EntityMapping) -> String?
            ) {
                guard let relationship = entity.layout.relationship(named: name),
                    let destination = schema.mapping[relationship.destination], let call = call(destination)
                else { return }
                let table = schema.qualified(destination.table)
                let root = destination.layout.root.index
                switch entity.mapping(relationship) {
                case .inverse(_, let column), .hidden(_, let column):
                    let owner = SQLName.quoted(column.name)
                    value = "SELECT \(call) FROM \(table) d WHERE d.\(owner) = t.\(key)"
                    touched = [(root, "t.\(key) IN (SELECT d.\(owner) FROM \(table) d WHERE d.\(key) = ANY($?))")]
                case .join(let join):
                    let pairs = join.source(PostgreSQLDialect(schema: schema.name)).sql
                    let (owner, member) = (SQLName.quoted(join.ownerColumn), SQLName.quoted(join.destinationColumn))
                    value =
                        "SELECT \(call) FROM \(pairs) j JOIN \(table) d ON d.\(key) = j.\(member) "
                        + "WHERE j.\(owner) = t.\(key)"
                    touched = [(root, "t.\(key) IN (SELECT j.\(owner) FROM \(pairs) j WHERE j.\(member) = ANY($?))")]
                case .toOne, .none: return
                }
            }
        }
    }
#endif
