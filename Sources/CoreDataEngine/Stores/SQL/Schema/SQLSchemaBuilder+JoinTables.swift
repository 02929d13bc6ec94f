import Foundation

extension SQLSchemaBuilder {
    /// One end of a many-to-many relationship.
    private struct End {
        var relationship: NSRelationshipDescription
        var owner: NSEntityDescription
        /// The name of the column that holds this relationship's destinations, without suffix, and its two parts.
        var prefix: String
        var name: String
        var plainColumn: String { prefix + name }
    }

    mutating func layOutJoinTables() {
        let ends = entities.flatMap { entity in
            ownProperties(of: entity).compactMap { $0 as? NSRelationshipDescription }
                .filter { isManyToMany($0) }
                .map { End(relationship: $0, owner: entity, prefix: prefix(of: $0), name: $0.name.uppercased()) }
        }
        let columnNames = freshColumnNames(ends)
        var placed: [(table: SQLJoinTable, owner: NSEntityDescription, name: String)] = []
        for end in ends where manyToMany[ObjectIdentifier(end.relationship)] == nil {
            guard let inverse = end.relationship.inverseRelationship,
                let other = ends.first(where: { $0.relationship === inverse })
            else { continue }
            let naming = namingEnd(end, other)
            let rest = naming.relationship === end.relationship ? other : end
            if let table = layOutJoinTable(naming, rest, columnNames: columnNames) {
                placed.append((table, naming.owner, naming.relationship.name))
            }
        }
        joinTables = placed.sorted {
            $0.table.namingNumber == $1.table.namingNumber
                ? PropertyDictionaryOrder(of: $0.owner).precedes($0.name, $1.name)
                : $0.table.namingNumber < $1.table.namingNumber
        }.map(\.table)
    }

    private func isManyToMany(_ relationship: NSRelationshipDescription) -> Bool {
        relationship.isToMany && relationship.inverseRelationship?.isToMany == true
            && contains(relationship.destinationEntity) && contains(relationship.inverseRelationship?.declaringEntity)
    }

    private func prefix(of relationship: NSRelationshipDescription) -> String {
        "Z_" + (relationship.destinationEntity.map { String(number(of: $0)) } ?? "")
    }

    /// The column names of a new store.
    ///
    /// They are unique among all relationships that lead to the same entity. In Apple's stores the plain name goes to
    /// the one whose inverse comes first by name.
    private func freshColumnNames(_ ends: [End]) -> [ObjectIdentifier: String] {
        var claimed: Set<String> = []
        var result: [ObjectIdentifier: String] = [:]
        for inverse in ends {
            guard let relationship = inverse.relationship.inverseRelationship,
                let end = ends.first(where: { $0.relationship === relationship })
            else { continue }
            var name = end.plainColumn
            var suffix = 0
            while !claimed.insert(name).inserted {
                suffix += 1
                name = end.plainColumn + String(suffix)
            }
            result[ObjectIdentifier(relationship)] = name
        }
        return result
    }

    /// Lays out the table of a relationship that `naming` names, and remembers it for both ends.
    private mutating func layOutJoinTable(
        _ naming: End, _ other: End, columnNames: [ObjectIdentifier: String]
    ) -> SQLJoinTable? {
        let isReflexive = naming.relationship === other.relationship
        // The first column holds the objects of the side that names the table: the other side's destinations.
        var first = isReflexive ? naming.plainColumn : columnNames[ObjectIdentifier(other.relationship)] ?? ""
        var second = isReflexive ? "REFLEXIVE" : columnNames[ObjectIdentifier(naming.relationship)] ?? ""
        var name = "Z_\(number(of: naming.owner))\(naming.name)"
        if let layout {
            guard let found = find(naming, other, in: layout) else {
                let lack =
                    "join table \(name) of relationship “\(naming.relationship.name)” of entity "
                    + "“\(naming.owner.name ?? "")”"
                // The other end comes here as well.
                if !missing.contains(lack) { missing.append(lack) }
                return nil
            }
            (name, first, second) = found
        }
        let firstColumn = SQLColumn(first, .integer)
        let secondColumn = SQLColumn(second, .integer)
        let firstOrder = isReflexive ? nil : orderColumn(other, firstColumn, table: name)
        let secondOrder = orderColumn(naming, isReflexive ? firstColumn : secondColumn, table: name)
        let table = SQLJoinTable(
            name: name, first: firstColumn, second: secondColumn,
            orderColumns: [firstOrder, secondOrder].compactMap(\.self), namingNumber: number(of: naming.owner),
            isReflexive: isReflexive)
        manyToMany[ObjectIdentifier(naming.relationship)] = .init(
            table: table, ownColumn: firstColumn, otherColumn: secondColumn, orderColumn: secondOrder,
            inverseOrderColumn: firstOrder)
        if !isReflexive {
            manyToMany[ObjectIdentifier(other.relationship)] = .init(
                table: table, ownColumn: secondColumn, otherColumn: firstColumn, orderColumn: firstOrder,
                inverseOrderColumn: secondOrder)
        }
        return table
    }

    /// The side that names the table: the one whose entity has subentities when only one has, else the one with the
    /// lower number.
    ///
    /// Where both are one entity Apple's stores have either; the later name is what most of them have.
    private func namingEnd(_ a: End, _ b: End) -> End {
        if a.relationship === b.relationship { return a }
        let (aHas, bHas) = (hasSubentities(a.owner), hasSubentities(b.owner))
        if a.owner !== b.owner, aHas != bHas { return aHas ? a : b }
        let (aNumber, bNumber) = (number(of: a.owner), number(of: b.owner))
        if aNumber != bNumber { return aNumber < bNumber ? a : b }
        return a.name > b.name ? a : b
    }

    private mutating func orderColumn(_ end: End, _ column: SQLColumn, table: String) -> SQLColumn? {
        guard end.relationship.isOrdered else { return nil }
        let name = "Z_FOK_" + column.name.dropFirst(2)
        if let layout, !layout.has(column: name, in: table) {
            missing.append("column \(name) of table \(table)")
        }
        return SQLColumn(name, .integer)
    }

    // MARK: Finding the table in a file

    /// The table's name, the column of the naming side's own objects, and the column of its destinations.
    private func find(_ naming: End, _ other: End, in layout: StoredLayout) -> (String, String, String)? {
        let candidates = [naming, other].map { "Z_\(number(of: $0.owner))\($0.name)" }
        for name in candidates where layout.has(table: name) {
            if let (first, second) = columns(naming, other, of: name, in: layout, exactNumbers: true) {
                return (name, first, second)
            }
        }
        for exactNumbers in [true, false] {
            let names = layout.tables.keys.sorted().filter { table in
                [naming, other].contains {
                    StoredLayout.matches(table, prefix: "Z_", number: true, body: $0.name)
                }
            }
            for name in names {
                if let (first, second) = columns(naming, other, of: name, in: layout, exactNumbers: exactNumbers) {
                    return (name, first, second)
                }
            }
        }
        return nil
    }

    /// The two columns of a table, if they are those of a relationship.
    private func columns(
        _ naming: End, _ other: End, of table: String, in layout: StoredLayout, exactNumbers: Bool
    ) -> (String, String)? {
        func find(_ end: End, besides taken: String?) -> String? {
            let names = (layout.tables[table] ?? []).filter { $0 != taken }
            if names.contains(end.plainColumn) { return end.plainColumn }
            return names.first {
                exactNumbers
                    ? StoredLayout.matches($0, prefix: end.prefix, number: false, body: end.name)
                    : StoredLayout.matches($0, prefix: "Z_", number: true, body: end.name)
            }
        }
        if naming.relationship === other.relationship {
            guard let first = find(naming, besides: nil), layout.has(column: "REFLEXIVE", in: table) else { return nil }
            return (first, "REFLEXIVE")
        }
        guard let second = find(naming, besides: nil), let first = find(other, besides: second) else { return nil }
        return (first, second)
    }
}
