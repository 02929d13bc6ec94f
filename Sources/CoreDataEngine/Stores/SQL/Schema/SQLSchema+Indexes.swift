extension SQLSchema {
    /// The indexes, table by table: of all relationships, then for each entity of its join tables, of the entity number,
    /// fetch indexes, and those of uniqueness constraints.
    package var indexStatements: [String] { tables.flatMap(indexStatements(of:)) }

    /// The indexes of one entity table and its join tables.
    package func indexStatements(of table: SQLTable) -> [String] {
        let members = entities.filter { $0.table === table }
        var statements = relationshipColumns(of: table).map { column in
            let name = SQLName.quotedIfNeeded("\(table.name)_\(column.name)_INDEX")
            return "CREATE INDEX \(name) ON \(table.sql) (\(column.sql))"
        }
        for entity in members {
            statements += joinTables.filter { $0.namingNumber == entity.number }.map(indexStatement(of:))
            if table.isShared, entity.number == table.rootNumber {
                let name = SQLName.quotedIfNeeded("\(table.name)_Z_ENT_INDEX")
                statements.append("CREATE INDEX \(name) ON \(table.sql) (Z_ENT)")
            }
            statements += fetchIndexStatements(of: entity) + uniqueIndexStatements(of: entity)
        }
        return statements
    }

    /// The index that leads from the second column of a join table to the first.
    private func indexStatement(of table: SQLJoinTable) -> String {
        let name = SQLName.quotedIfNeeded("\(table.name)_\(table.second.name)_INDEX")
        return "CREATE INDEX \(name) ON \(table.sql) (\(table.second.sql), \(table.first.sql))"
    }

    /// The foreign keys of a table, hidden ones included, in the order of their indexes.
    private func relationshipColumns(of table: SQLTable) -> [SQLColumn] {
        var keys: Set<String> = []
        for entity in entities {
            for relationship in entity.relationships {
                switch relationship.storage {
                case .toOne(let toOne) where entity.table === table: keys.insert(toOne.column.name)
                case .toManyHiddenColumn(let hidden) where hidden.table === table: keys.insert(hidden.column.name)
                default: break
                }
            }
        }
        return table.columns.filter { keys.contains($0.name) }
    }

    private func fetchIndexStatements(of entity: SQLEntity) -> [String] {
        Self.indexes(of: entity.entity).compactMap { index in
            guard !index.isSpatial else { return nil }
            let columns = index.elements.compactMap { element in
                column(of: element, in: entity).map { ($0, element.isAscending ? "ASC" : "DESC") }
            }
            // A relationship has its own index already.
            let isRelationshipAlone =
                columns.count == 1
                && index.elements.contains {
                    $0.property is NSRelationshipDescription
                }
            guard !columns.isEmpty, !isRelationshipAlone else { return nil }
            let list = columns.map { "\($0.sql) COLLATE BINARY \($1)" }.joined(separator: ", ")
            let condition = index.partialIndexPredicate.flatMap { PartialIndexCondition(entity).sql(for: $0) }
            return "CREATE INDEX \(SQLName.quotedIfNeeded("Z_\(entity.name)_\(index.name)")) ON \(entity.table.sql) "
                + "(\(list))" + (condition.map { " WHERE \($0)" } ?? "")
        }
    }

    /// The indexes that an entity declares, and one for each attribute marked as indexed that is in none of them.
    ///
    /// Models of some compilers have an index twice; the first one counts.
    package static func indexes(of entity: NSEntityDescription) -> [NSFetchIndexDescription] {
        var names: Set<String> = []
        let declared = entity.indexes.filter { names.insert($0.name).inserted }
        let covered = Set(declared.flatMap { $0.elements.compactMap(\.propertyName) })
        let marked = entity.declaredProperties
            .filter { $0.isIndexedFlag && $0 is NSAttributeDescription && !covered.contains($0.name) }
            .sorted { $0.name < $1.name }
            .map { attribute in
                NSFetchIndexDescription(
                    name: attribute.name, elements: [.init(property: attribute, collationType: .binary)])
            }
        return marked + declared
    }

    private func uniqueIndexStatements(of entity: SQLEntity) -> [String] {
        entity.entity.uniquenessConstraintNames.compactMap { names in
            let columns = names.compactMap(entity.column(named:))
            guard !columns.isEmpty, columns.count == names.count else { return nil }
            let list = columns.map { "\($0.sql) COLLATE BINARY ASC" }.joined(separator: ", ")
            let name = "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))"
            return "CREATE UNIQUE INDEX \(SQLName.quotedIfNeeded(name)) ON \(entity.table.sql) (\(list))"
        }
    }

    /// The column that an element of a fetch index means; nil for a to-many relationship and what has no column.
    func column(of element: NSFetchIndexElementDescription, in entity: SQLEntity) -> SQLColumn? {
        guard let computed = element.property as? NSExpressionDescription else {
            return entity.column(named: element.propertyName ?? "")
        }
        guard let expression = computed.expression else { return nil }
        switch expression.expressionType {
        case .evaluatedObject: return .primaryKey
        case .keyPath where expression.keyPath == "entity": return .entity
        case .keyPath where ["self", "SELF", "objectID"].contains(expression.keyPath): return .primaryKey
        case .keyPath: return entity.column(named: expression.keyPath)
        default: return nil
        }
    }
}

extension NSFetchIndexDescription {
    /// Whether the index is an R-tree.
    package final var isSpatial: Bool { elements.contains { $0.collationType == .rTree } }
}
