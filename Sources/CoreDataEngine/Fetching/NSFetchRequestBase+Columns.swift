import Foundation

/// One column of a dictionary result: the dictionary's key, and what the store is asked for.
package struct ResultColumn {
    package var key: String
    package var column: QueryColumn
    /// The property that the values come from; `nil` for the identity and for expressions.
    package var slot: SlotLayout?
    /// The type of an expression's values; `.objectIDAttributeType` for the identity.
    package var type: NSAttributeType

    package init(key: String, column: QueryColumn, slot: SlotLayout? = nil, type: NSAttributeType) {
        self.key = key
        self.column = column
        self.slot = slot
        self.type = type
    }
}

extension NSFetchRequestBase {
    /// The columns of a dictionary result: those asked for, or all attributes that are stored.
    ///
    /// - Throws: An error that names the column when the entity has no such property, or a to-many one.
    package final func resultColumns(for layout: EntityLayout) throws -> [ResultColumn] {
        guard let propertiesToFetch else {
            return layout.slots.compactMap { slot in
                guard let slot, slot.kind != .toOne, !slot.isTransient else { return nil }
                return ResultColumn(
                    key: slot.name, column: .keyPath(slot.name), slot: slot,
                    type: slot.attribute?.attributeType ?? .undefinedAttributeType)
            }
        }
        let columns = try propertiesToFetch.map { try column(for: $0, of: layout) }
        try checkGrouping(of: columns, layout: layout)
        return columns
    }

    /// What the result is grouped by.
    package final func groupColumns(for layout: EntityLayout) throws -> [ResultColumn] {
        try (propertiesToGroupBy ?? []).map { property in
            if let name = property as? String, let computed = computedColumn(named: name) { return computed }
            return try column(for: property, of: layout)
        }
    }

    /// What the request asks of a store, without columns.
    package final func storeQuery(for layout: EntityLayout) -> StoreQuery {
        var query = StoreQuery(entity: layout)
        query.includesSubentities = includesSubentities
        query.predicate = predicate
        query.sortDescriptors = sortDescriptors ?? []
        query.limit = max(0, fetchLimit)
        query.offset = max(0, fetchOffset)
        query.includesValues = includesPropertyValues
        query.lock = rowLock
        return query
    }

    /// What the request asks of a store for a dictionary result, and the columns of that result.
    package final func columnQuery(for layout: EntityLayout) throws -> (query: StoreQuery, columns: [ResultColumn]) {
        var query = storeQuery(for: layout)
        let columns = try resultColumns(for: layout)
        query.columns = columns.map(\.column)
        query.groupBy = try groupColumns(for: layout).map(\.column)
        query.having = havingPredicate
        query.isDistinct = returnsDistinctResults
        return (query, columns)
    }

    private func computedColumn(named name: String) -> ResultColumn? {
        for case let description as NSExpressionDescription in propertiesToFetch ?? [] where description.name == name {
            return try? column(for: description)
        }
        return nil
    }

    private func column(for property: Any, of layout: EntityLayout) throws -> ResultColumn {
        if let description = property as? NSExpressionDescription {
            // Query builders give one that only names a property.
            if description.expression == nil, layout.entity.propertiesByName[description.name] != nil {
                return try column(forKeyPath: description.name, of: layout)
            }
            return try column(for: description)
        }
        if let description = property as? NSPropertyDescription {
            return try column(forKeyPath: description.name, of: layout)
        }
        if let keyPath = property as? String { return try column(forKeyPath: keyPath, of: layout) }
        throw CoreDataError.make(
            NSCoreDataError,
            "\(property) is neither a property of the entity \(layout.name) nor the name of one, so it can't be fetched."
        )
    }

    private func column(for description: NSExpressionDescription) throws -> ResultColumn {
        guard let expression = description.expression else {
            throw CoreDataError.make(NSCoreDataError, "The computed column '\(description.name)' has no expression.")
        }
        if expression.expressionType == .evaluatedObject {
            return ResultColumn(key: description.name, column: .objectID, type: .objectIDAttributeType)
        }
        return ResultColumn(
            key: description.name,
            column: .expression(expression, name: description.name, type: description.expressionResultType),
            type: description.expressionResultType)
    }

    private func column(forKeyPath path: String, of layout: EntityLayout) throws -> ResultColumn {
        if path == "objectID" || path == "self" {
            return ResultColumn(key: path, column: .objectID, type: .objectIDAttributeType)
        }
        let slot = try lastSlot(of: path, from: layout)
        return ResultColumn(
            key: path, column: .keyPath(path), slot: slot,
            type: slot.attribute?.attributeType ?? .objectIDAttributeType)
    }

    /// The attribute, element of a composite attribute, or to-one at the end of a key path.
    private func lastSlot(of path: String, from layout: EntityLayout) throws -> SlotLayout {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var entity = layout
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            if entity.relationship(named: key)?.isToMany == true {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "'\(path)' of the entity \(layout.name) is a to-many relationship, which a dictionary can't hold.")
            }
            guard let slot = entity.slot(named: key), !slot.isTransient else { break }
            if isLast { return slot }
            if slot.kind == .composite, let leaf = slot.leaf(at: keys[index...]) { return leaf }
            guard let destination = slot.relationship?.destination else { break }
            entity = destination
        }
        throw CoreDataError.make(
            NSCoreDataError, "The entity \(layout.name) has no stored property '\(path)' that could be fetched.")
    }

    /// In a grouped result a column is something grouped by, or computed.
    private func checkGrouping(of columns: [ResultColumn], layout: EntityLayout) throws {
        guard let propertiesToGroupBy, !propertiesToGroupBy.isEmpty else { return }
        let grouped = Set(
            propertiesToGroupBy.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String })
        for column in columns where !grouped.contains(column.key) {
            if case .expression = column.column { continue }
            throw CoreDataError.make(
                NSCoreDataError,
                "'\(column.key)' of the entity \(layout.name) is fetched in a grouped result, but not grouped by.")
        }
    }
}
