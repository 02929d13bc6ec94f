import Foundation

/// Following key paths from a row through its relationships.
extension SQLTranslator {
    /// What a key path leads to.
    func resolve(keyPath: String, from start: SQLOperand) throws -> SQLOperand {
        var operand = start
        var keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        while var key = keys.popFirst() {
            if key.hasPrefix("@") {
                return try aggregate(key, rest: keys, of: operand, keyPath: keyPath)
            }
            if let leaf = compositeLeaf(key, keys, of: operand) {
                keys = keys.dropFirst(leaf.split(separator: ".").count - 1)
                key = leaf
            }
            operand = try step(key, from: operand, keyPath: keyPath)
        }
        return operand
    }

    /// The path to the leaf of a composite attribute that keys lead to; `nil` if the operand isn't an object.
    private func compositeLeaf(_ key: String, _ rest: ArraySlice<String>, of operand: SQLOperand) -> String? {
        guard !rest.isEmpty else { return nil }
        let object: SQLObject
        switch operand {
        case .object(let found): object = found
        case .collection(let collection):
            guard case .object(let found) = collection.element else { return nil }
            object = found
        default: return nil
        }
        guard let owner = declaringEntities(of: key, below: object.entity).first,
            let slot = owner.layout.slot(named: key), slot.kind == .composite
        else { return nil }
        let path = ([key] + rest).joined(separator: ".")
        return slot.leaves.map(\.name).first { path == $0 || path.hasPrefix($0 + ".") }
    }

    private func step(_ key: String, from operand: SQLOperand, keyPath: String) throws -> SQLOperand {
        switch operand {
        case .object(let object): return try property(key, of: object)
        case .collection(var collection):
            guard case .object(let element) = collection.element else { return try valueKey(key, keyPath) }
            // What is missing on the way contributes no value.
            if element.isNullable { collection.scope.require("\(element.key) IS NOT NULL") }
            switch try property(key, of: element, flattening: true) {
            case .object(let object): collection.element = .object(object)
            case .term(let term): collection.element = .term(term)
            case .collection(let inner):
                collection.element = inner.element
            default: return try valueKey(key, keyPath)
            }
            return .collection(collection)
        case .choice(let condition, let first, let second):
            return .choice(
                condition, try step(key, from: first, keyPath: keyPath), try step(key, from: second, keyPath: keyPath))
        case .entity(let number):
            guard key == "name" || key == "managedObjectClassName" else { return try valueKey(key, keyPath) }
            return .term(entityString(number) { key == "name" ? $0.name : $0.entity.managedObjectClassName })
        case .constant(let value):
            return .constant(try KeyValueAccess.value(of: value, forKeyPath: key))
        case .term(let term) where term.type == .text && key == "length":
            return .term(
                SQLTerm(sql: try dialect.textLength(term.sql), type: .integer, isNullable: term.isNullable))
        case .term, .list: return try valueKey(key, keyPath)
        }
    }

    private func valueKey(_ key: String, _ keyPath: String) throws -> SQLOperand {
        throw untranslatable("The key \"\(key)\" in the key path \"\(keyPath)\" cannot be asked of a value in a store.")
    }

    /// A name of the entity whose number SQL has.
    private func entityString(_ number: SQLFragment, _ string: (EntityLayout) -> String?) -> SQLTerm {
        let cases = store.entities.compactMap { $0 }.map { entity -> SQLFragment in
            " WHEN \(value: .integer(entity.number)) THEN \(value: .text(string(entity.layout) ?? ""))"
        }
        return SQLTerm(sql: "CASE \(number)\(cases.joined("")) END", type: .text)
    }

    // MARK: Properties

    /// The value of a property of an object.
    ///
    /// - Parameter flattening: Whether the object is an element of a subselect that a to-many shall extend, instead of
    ///   beginning a subselect of its own.
    func property(_ key: String, of object: SQLObject, flattening: Bool = false) throws -> SQLOperand {
        switch key {
        case "self", "SELF", "objectID": return .object(object)
        case "entity": return .entity("\(name: object.alias).\(name: dialect.quoted(object.entity.system.entity))")
        default: break
        }
        let owners = declaringEntities(of: key, below: object.entity)
        guard let first = owners.first else { throw unknownKey(key, object.entity) }
        if let relationship = first.layout.relationship(named: key) {
            return try self.relationship(relationship, of: first, object: object, flattening: flattening)
        }
        let columns = try owners.map { try attributeColumn(key, of: $0) }
        let term = attributeTerm(columns, object: object)
        return .term(term)
    }

    /// The entity itself when it has the property, else those of its subentities that do.
    private func declaringEntities(of key: String, below entity: EntityMapping) -> [EntityMapping] {
        let key = key.prefix { $0 != "." }.description
        func has(_ layout: EntityLayout) -> Bool {
            layout.slot(named: key) != nil || layout.relationship(named: key) != nil
        }
        if has(entity.layout) { return [entity] }
        return entity.layout.subtree.filter { has($0) && !($0.parent.map(has) ?? false) }.compactMap { store[$0] }
    }

    private func attributeColumn(_ key: String, of entity: EntityMapping) throws -> (SlotLayout, ColumnMapping) {
        if let dot = key.firstIndex(of: "."), let slot = entity.layout.slot(named: String(key[..<dot])),
            let index = slot.leaves.firstIndex(where: { $0.name == key }), let column = entity.column(slot)
        {
            return (slot.leaves[index], ColumnMapping(name: column.leaves[index]))
        }
        guard let slot = entity.layout.slot(named: key) else { throw unknownKey(key, entity) }
        guard let column = entity.column(slot) else {
            throw untranslatable(
                "The property \"\(key)\" of the entity \(entity.layout.name) is transient, so a store cannot search it."
            )
        }
        return (slot, column)
    }

    private func attributeTerm(_ columns: [(SlotLayout, ColumnMapping)], object: SQLObject) -> SQLTerm {
        let alias = object.alias
        func qualified(_ column: String) -> SQLFragment { "\(name: alias).\(name: dialect.quoted(column))" }
        let leaves = columns[0].1.leaves
        guard leaves.isEmpty else {
            let list = leaves.map(qualified).joined(", ")
            return SQLTerm(sql: dialect.composite(list, isOptional: true), type: .opaque, isNullable: true)
        }
        var names: [String] = []
        for (_, column) in columns where !names.contains(column.name) { names.append(column.name) }
        let fragments = names.map(qualified)
        let isSingle = fragments.count == 1
        // Of sibling entities' columns for properties of one name only the one of the row's own entity has a value.
        let sql = isSingle ? fragments[0] : "COALESCE(\(fragments.joined(", ")))"
        let type = columns[0].1.isExternal ? .opaque : SQLValueType(columns[0].0.kind)
        var term = SQLTerm(sql: sql, type: type, isNullable: true, isColumn: isSingle)
        if isSingle { term.attribute = columns[0].0 }
        return term
    }

    // MARK: Relationships

    private func relationship(
        _ relationship: RelationshipLayout, of owner: EntityMapping, object: SQLObject, flattening: Bool
    ) throws -> SQLOperand {
        let mapping = owner.mapping(relationship)
        guard let destination = store[relationship.destination] else {
            throw untranslatable(
                "The relationship \"\(relationship.name)\" of the entity \(owner.layout.name) leads to "
                    + "\(relationship.destination.name), which is not in this store.")
        }
        if case .toOne(let column) = mapping {
            let key: SQLFragment = "\(name: object.alias).\(name: dialect.quoted(column.name))"
            return .object(SQLObject(key: key, entity: destination, isNullable: true, scope: object.scope))
        }
        guard relationship.isToMany else {
            throw untranslatable(
                "The relationship \"\(relationship.name)\" of the entity \(owner.layout.name) is not in the store, "
                    + "so a store cannot search it.")
        }
        return .collection(
            try toMany(
                relationship, mapping, destination: destination, object: object, flattening: flattening))
    }

    private func toMany(
        _ relationship: RelationshipLayout, _ mapping: RelationshipMapping, destination: EntityMapping,
        object: SQLObject, flattening: Bool
    ) throws -> SQLCollection {
        let alias = aliases.next()
        func place(_ source: SQLFragment, _ condition: SQLFragment) -> SQLScope {
            if flattening {
                object.scope.join(source, alias: alias, on: condition)
                return object.scope
            }
            let scope = SQLScope(from: source, alias: alias, aliases: aliases, dialect: dialect)
            scope.require(condition)
            return scope
        }
        let isMissing: SQLFragment? = object.isNullable ? "\(object.key) IS NULL" : nil
        switch mapping {
        case .inverse(let table, let column), .hidden(let table, let column):
            let key: SQLFragment = "\(name: alias).\(name: dialect.quoted(destination.system.key))"
            let scope = place(
                "\(name: dialect.table(table))",
                "\(name: alias).\(name: dialect.quoted(column.name)) = \(object.key)")
            let element = SQLObject(
                key: key, entity: destination, isNullable: false, scope: scope, rowAlias: alias)
            return SQLCollection(scope: scope, element: .object(element), isMissing: isMissing)
        case .join(let join):
            let key: SQLFragment = "\(name: alias).\(name: dialect.quoted(join.destinationColumn))"
            let scope = place(
                join.source(dialect), "\(name: alias).\(name: dialect.quoted(join.ownerColumn)) = \(object.key)")
            let element = SQLObject(key: key, entity: destination, isNullable: false, scope: scope)
            return SQLCollection(scope: scope, element: .object(element), isMissing: isMissing)
        case .toOne, .none:
            throw untranslatable(
                "The relationship \"\(relationship.name)\" of the entity \(relationship.owner.name) is not in the "
                    + "store, so a store cannot search it.")
        }
    }
}

extension JoinMapping {
    /// The table, or for a relationship that is its own inverse both directions of its pairs.
    package func source(_ dialect: any SQLDialect) -> SQLFragment {
        let table = dialect.table(table)
        guard isReflexive else { return "\(name: table)" }
        let owner = dialect.quoted(ownerColumn)
        let destination = dialect.quoted(destinationColumn)
        if let orderColumn {
            // Each direction of an ordered one has an order of its own, unless the pair stands in one direction only.
            let order = dialect.quoted(orderColumn)
            return """
                (SELECT \(name: owner), \(name: destination), \(name: order) FROM \(name: table) \
                UNION ALL SELECT \(name: destination), \(name: owner), NULL FROM \(name: table) r \
                WHERE NOT EXISTS (SELECT 1 FROM \(name: table) s \
                WHERE s.\(name: owner) = r.\(name: destination) AND s.\(name: destination) = r.\(name: owner)))
                """
        }
        return """
            (SELECT \(name: owner), \(name: destination) FROM \(name: table) \
            UNION SELECT \(name: destination), \(name: owner) FROM \(name: table))
            """
    }
}

extension SQLValueType {
    /// The representation of an attribute's values.
    init(_ kind: SlotKind) {
        switch kind {
        case .integer16, .integer32, .integer64, .toOne: self = .integer
        case .boolean: self = .boolean
        case .double, .float: self = .double
        case .date: self = .date
        case .decimal: self = .decimal
        case .string: self = .text
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .data: self = .data
        case .transformable, .objectID, .composite, .undefined: self = .opaque
        }
    }
}
