import Foundation

/// Makes the statements of fetches.
package struct SQLQueryBuilder {
    package let store: StoreMapping
    package let storeIdentifier: String
    package let dialect: any SQLDialect

    package init(store: StoreMapping, storeIdentifier: String, dialect: any SQLDialect) {
        self.store = store
        self.storeIdentifier = storeIdentifier
        self.dialect = dialect
    }

    /// A statement and its values, ready to run.
    package struct Statement {
        package var sql: String
        package var bindings: [SQLValue]

        package init(_ fragment: SQLFragment, _ dialect: any SQLDialect) {
            sql = fragment.sql(in: dialect)
            bindings = fragment.bindings
        }

        package init(sql: String, bindings: [SQLValue]) {
            self.sql = sql
            self.bindings = bindings
        }
    }

    package func translator(_ query: StoreQuery, firstAlias: Int = 0) throws -> SQLTranslator {
        guard let entity = store[query.entity] else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The entity \(query.entity.name) is not kept in this store.")
        }
        return SQLTranslator(
            entity: entity, store: store, storeIdentifier: storeIdentifier, dialect: dialect,
            variables: query.variables, aliases: SQLAliases(first: firstAlias))
    }

    // MARK: Rows

    /// Reads rows of the entity's table; `selectList` gives the columns for the alias of the table.
    ///
    /// - Parameter keys: Reads only rows whose primary key is one of these.
    package func rows(
        _ query: StoreQuery, keys: ClosedRange<Int64>? = nil, selectList: (String) -> String
    ) throws -> Statement {
        let translator = try translator(query)
        var condition = try whereClause(query, translator)
        if let keys {
            condition += condition.isEmpty ? " WHERE " : " AND "
            condition += "\(translator.subject.key) BETWEEN \(value: .integer(keys.lowerBound)) "
            condition += "AND \(value: .integer(keys.upperBound))"
        }
        let order = try orderClause(query, translator)
        let list = SQLFragment(selectList(translator.subject.alias))
        let window = dialect.window(limit: query.limit, offset: query.offset)
        return Statement("SELECT \(list)\(translator.scope.fromClause)\(condition)\(order)\(window)", dialect)
    }

    /// Counts rows; a window counts as well.
    package func count(_ query: StoreQuery) throws -> Statement {
        let translator = try translator(query)
        let condition = try whereClause(query, translator)
        guard query.limit > 0 || query.offset > 0 else {
            return Statement("SELECT COUNT(*)\(translator.scope.fromClause)\(condition)", dialect)
        }
        let window = dialect.window(limit: query.limit, offset: query.offset)
        return Statement(
            "SELECT COUNT(*) FROM (SELECT 1\(translator.scope.fromClause)\(condition)\(window)) AS counted", dialect)
    }

    /// Counts the rows of a whole table, and those among them that are not stray.
    package func countWithStrays(_ query: StoreQuery) throws -> Statement {
        let translator = try translator(query)
        let isMember = isSound(query, query.entity.root.subtree, translator.subject.alias)
        let from = translator.scope.fromClause
        return Statement("SELECT COUNT(*), COUNT(CASE WHEN \(isMember) THEN 1 END)\(from)", dialect)
    }

    /// Rows of an entity by primary key; `count` placeholders.
    package func rows(entity: EntityMapping, count: Int, selectList: (String) -> String) -> String {
        let marks = Array(repeating: "?", count: count).joined(separator: ",")
        // Another entity of the tree may have the row.
        let isOfEntity = entityCondition(StoreQuery(entity: entity.layout), alias: "t0").map { " AND \($0.sql)" } ?? ""
        return "SELECT \(selectList("t0")) FROM \(dialect.table(entity.table)) t0 "
            + "WHERE t0.\(dialect.quoted(entity.system.key)) IN (\(marks))\(isOfEntity)"
    }

    // MARK: Clauses

    /// The condition on the entity and the predicate.
    package func whereClause(_ query: StoreQuery, _ translator: SQLTranslator) throws -> SQLFragment {
        var conditions: [SQLFragment] = []
        if let entity = entityCondition(query, alias: translator.subject.alias) { conditions.append(entity) }
        if let references = query.references {
            conditions.append(
                references.isEmpty
                    ? .truth(false)
                    : dialect.membership(
                        translator.subject.key, in: references.map { .integer($0) }, type: .integer))
        }
        if let predicate = query.predicate {
            try PredicateCheck(entity: query.entity, variables: query.variables).checkWhole(predicate)
            let condition = try translator.condition(predicate)
            if condition.known != true { conditions.append(condition.sql) }
        }
        return conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    }

    /// Whether all rows of the table are meant, as long as none is a stray one.
    package func isAboutWholeTable(_ query: StoreQuery) -> Bool {
        (query.includesSubentities ? query.entity.subtree.count : 1) == query.entity.root.subtree.count
    }

    /// Needed where the table holds rows that the query is not about.
    private func entityCondition(_ query: StoreQuery, alias: String) -> SQLFragment? {
        let wanted = query.includesSubentities ? query.entity.subtree : [query.entity]
        guard let plain = plainEntityCondition(query, wanted, alias) else {
            return query.leavesOutStrays ? isSound(query, wanted, alias) : nil
        }
        return query.leavesOutStrays ? "\(plain) AND \(isSound(query, nil, alias))" : plain
    }

    /// What rows satisfy that are not stray.
    private func isSound(_ query: StoreQuery, _ entities: [EntityLayout]?, _ alias: String) -> SQLFragment {
        let columns = store[query.entity]?.system ?? SystemColumns()
        return dialect.isSound(alias, columns, entities: entities?.compactMap { store[$0]?.number })
    }

    private func plainEntityCondition(_ query: StoreQuery, _ wanted: [EntityLayout], _ alias: String) -> SQLFragment? {
        guard !isAboutWholeTable(query) else { return nil }
        let column = dialect.quoted((store[query.entity]?.system ?? SystemColumns()).entity)
        let numbers = wanted.compactMap { store[$0]?.number }.map { SQLFragment(String($0)) }
        return numbers.count == 1
            ? "\(name: alias).\(name: column) = \(numbers[0])"
            : "\(name: alias).\(name: column) IN (\(numbers.joined(", ")))"
    }

    /// Rows that compare equal, and the rows of a window without an order, come by primary key: equal requests give
    /// equal answers.
    private func orderClause(_ query: StoreQuery, _ translator: SQLTranslator) throws -> SQLFragment {
        var terms = try query.sortDescriptors.map { try translator.orderTerm($0) }
        guard !terms.isEmpty || query.limit > 0 || query.offset > 0 else { return "" }
        terms.append(translator.subject.key)
        return " ORDER BY \(terms.joined(", "))"
    }

    // MARK: Columns

    /// What a column of a dictionary result is in SQL: one value, or for an object its number and entity.
    package struct ResultColumn {
        package var operand: SQLOperand
        /// The declared kind of the values; nil when it follows from the expression.
        package var kind: SlotKind?
        /// The key path of the attribute whose values these are; nil for what is computed.
        package var attribute: String?
        /// The leaves of a composite attribute.
        package var leaves: [SlotLayout] = []
        /// Whether values may be in files of their own.
        package var isExternal = false
        /// Number of SQL columns.
        package var width: Int
    }

    /// Reads columns, grouped and filtered as the query says.
    package func columns(_ query: StoreQuery) throws -> (Statement, [ResultColumn]) {
        let translator = try translator(query)
        translator.isGrouping = true
        translator.isComputing = true
        let columns = try query.columns.map { try resultColumn($0, translator) }
        var groups: [SQLFragment] = []
        for column in try query.groupBy.map({ try resultColumn($0, translator) }) {
            groups += try translator.selectFragments(column.operand)
        }
        translator.isGrouping = false
        let list = try columns.flatMap { try translator.selectFragments($0.operand) }
        translator.isComputing = false
        let condition = try whereClause(query, translator)
        translator.isGrouping = true
        // Only now: the condition on rows knows properties, and a column may have the name of one.
        for case (.expression(_, let name, _), let column) in zip(query.columns, columns) {
            translator.columnsByName[name] = column.operand
        }
        var tail: SQLFragment = groups.isEmpty ? "" : " GROUP BY \(groups.joined(", "))"
        if let having = query.having {
            let condition = try translator.condition(having)
            // Without groups all rows are one group.
            if groups.isEmpty { tail += dialect.emptyGroup }
            tail += " HAVING \(condition.sql)"
        }
        let orders = try query.sortDescriptors.map { try translator.orderTerm($0) }
        let rows: SQLFragment = "\(translator.scope.fromClause)\(condition)\(tail)"
        var select: SQLFragment
        if query.isDistinct {
            select = dialect.distinct(list, rows, orders: orders)
        } else {
            select = "SELECT \(list.joined(", "))\(rows)"
            if !orders.isEmpty { select += " ORDER BY \(orders.joined(", "))" }
        }
        select += dialect.window(limit: query.limit, offset: query.offset)
        return (Statement(select, dialect), columns)
    }

    private func resultColumn(_ column: QueryColumn, _ translator: SQLTranslator) throws -> ResultColumn {
        switch column {
        case .objectID: return ResultColumn(operand: .object(translator.subject), width: 2)
        case .keyPath(let path):
            let operand = try translator.resolve(keyPath: path, from: translator.current)
            if case .collection = operand {
                throw translator.untranslatable(
                    "The to-many relationship in \"\(path)\" of \(translator.subject.entity.layout.name) cannot be "
                        + "a column of a result.")
            }
            let column = attributeColumn(path, of: translator.subject.entity)
            return ResultColumn(
                operand: operand, kind: column?.slot.kind,
                attribute: column.map { _ in "\(translator.subject.entity.layout.name).\(path)" },
                leaves: column?.slot.leaves ?? [],
                isExternal: column?.mapping.isExternal ?? false,
                width: try translator.selectFragments(operand).count)
        case .expression(let expression, _, let type):
            let operand = try translator.operand(expression)
            let kind = type == .undefinedAttributeType || type == .objectIDAttributeType ? nil : SlotKind(type)
            return ResultColumn(operand: operand, kind: kind, width: try translator.selectFragments(operand).count)
        }
    }

    /// The attribute at the end of a key path over to-ones.
    private func attributeColumn(
        _ path: String, of entity: EntityMapping
    ) -> (slot: SlotLayout, mapping: ColumnMapping)? {
        var owner = entity
        var keys = path.split(separator: ".").map(String.init)[...]
        while let key = keys.popFirst() {
            if let relationship = owner.layout.relationship(named: key), let next = store[relationship.destination] {
                owner = next
            } else if let slot = owner.layout.slot(named: key), let column = owner.column(slot) {
                if keys.isEmpty { return (slot, column) }
                return slot.leaf(at: [key] + keys).map { ($0, ColumnMapping(name: column.leaves[$0.index])) }
            } else {
                return nil
            }
        }
        return nil
    }
}
