#if PostgreSQL
import Foundation
import OpenCoreData

/// The statements of one save: sets of rows, in the order that makes room before it fills it.
struct SaveStatements {
    let plan: SavePlan
    let forms: SaveForms
    let owners: UncheckedOwners
    var schema: PostgreSQLSchema { forms.schema }
    var store: StoreMapping { forms.schema.mapping }

    /// More rows than these are cut into several statements.
    static let mostRows = 5_000

    /// The changes of one statement.
    struct Group {
        var entity: EntityMapping
        /// For updates.
        var slots: [Int] = []
        var checksVersion = true
        /// Sorted by key, so that transactions wait for each other in one order.
        var changes: [RowChange]

        fileprivate func takes(_ change: RowChange, hasSlots: Bool) -> Bool {
            entity.layout === change.entity && checksVersion == change.checksVersion
                && changes.count < SaveStatements.mostRows && (!hasSlots || slots == change.slots)
        }

        fileprivate mutating func sort() {
            let isSorted = changes.withUnsafeBufferPointer { changes in
                changes.indices.dropFirst().allSatisfy { changes[$0 - 1].reference <= changes[$0].reference }
            }
            if !isSorted { changes.sort { $0.reference < $1.reference } }
        }
    }

    func mapping(_ entity: EntityLayout) throws -> EntityMapping {
        guard let mapping = store[entity] else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The entity \(entity.name) has no table in this store.")
        }
        return mapping
    }

    // MARK: Rows

    private struct GroupKey: Hashable {
        var entity: Int
        var slots: [Int]
        var checksVersion: Bool
    }

    func groups(_ changes: [RowChange], hasSlots: Bool) throws -> [Group] {
        var groups: [Group] = []
        var indexes: [GroupKey: Int] = [:]
        var last: Int?
        for change in changes {
            // Those of one kind mostly stand together.
            if let last, groups[last].takes(change, hasSlots: hasSlots) {
                groups[last].changes.append(change)
                continue
            }
            let key = GroupKey(
                entity: change.entity.index, slots: hasSlots ? change.slots : [],
                checksVersion: change.checksVersion)
            if let index = indexes[key], groups[index].changes.count < Self.mostRows {
                groups[index].changes.append(change)
                last = index
            } else {
                last = groups.count
                indexes[key] = groups.count
                groups.append(
                    Group(
                        entity: try mapping(change.entity), slots: key.slots, checksVersion: key.checksVersion,
                        changes: [change]))
            }
        }
        for index in groups.indices { groups[index].sort() }
        return groups
    }

    func insertGroups() throws -> [Group] { try groups(plan.inserts, hasSlots: false) }

    func updateGroups() throws -> [Group] {
        for change in plan.updates where change.version >= RowSlab.lastVersion {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The row \(change.reference) of table \(try mapping(change.entity).table) can't be changed: its version "
                    + "(z_opt) is out of range, which is damage.")
        }
        return try groups(plan.updates.filter { !owners.areLeftAlone($0) }, hasSlots: true)
    }

    func deleteGroups() throws -> [Group] { try groups(plan.deletes, hasSlots: false) }

    /// Up to this number, each row has its own statement, which is faster than a join.
    private static let mostSingleRows = 3

    /// The group itself, or each of its rows.
    private func parts(_ group: Group) -> [(group: Group, isOfOneRow: Bool)] {
        guard group.changes.count <= Self.mostSingleRows else { return [(group, false)] }
        return group.changes.map { change in
            var one = group
            one.changes = [change]
            return (one, true)
        }
    }

    func insert(_ group: Group) throws -> [PostgreSQLStatement] {
        try parts(group).map { try insert($0.group, ofOneRow: $0.isOfOneRow) }
    }

    /// One statement for all rows of the group.
    func insertTogether(_ group: Group) throws -> PostgreSQLStatement { try insert(group, ofOneRow: false) }

    private func insert(_ group: Group, ofOneRow isOfOneRow: Bool) throws -> PostgreSQLStatement {
        let form = forms.insert(group.entity, ofOneRow: isOfOneRow)
        return PostgreSQLStatement(form.sql, try parameters(group, form, hasVersions: false))
    }

    /// Updates that fail when one of the rows isn't as expected.
    func update(_ group: Group) throws -> [PostgreSQLStatement] {
        try parts(group).map { try update($0.group, .expect, ofOneRow: $0.isOfOneRow) }
    }

    /// An update that returns which rows it changed.
    func updateGivingKeys(_ group: Group) throws -> PostgreSQLStatement {
        try update(group, .keys, ofOneRow: false)
    }

    private func update(
        _ group: Group, _ ending: SaveForms.Ending, ofOneRow isOfOneRow: Bool
    ) throws -> PostgreSQLStatement {
        let form = forms.update(
            group.entity, slots: group.slots, checksVersion: group.checksVersion, ending: ending,
            ofOneRow: isOfOneRow)
        return try statement(group, form, ending, ofOneRow: isOfOneRow)
    }

    /// Deletions that fail when one of the rows isn't as expected.
    func delete(_ group: Group) throws -> [PostgreSQLStatement] {
        try parts(group).map { try delete($0.group, .expect, ofOneRow: $0.isOfOneRow) }
    }

    /// A deletion that returns which rows it removed.
    func deleteGivingKeys(_ group: Group) throws -> PostgreSQLStatement {
        try delete(group, .keys, ofOneRow: false)
    }

    /// A row whose deletion checks no version may be gone already.
    private func delete(
        _ group: Group, _ ending: SaveForms.Ending, ofOneRow isOfOneRow: Bool
    ) throws -> PostgreSQLStatement {
        let ending = group.checksVersion ? ending : .keys
        let form = forms.delete(
            group.entity, checksVersion: group.checksVersion, ending: ending, ofOneRow: isOfOneRow)
        return try statement(group, form, ending, ofOneRow: isOfOneRow)
    }

    /// A form that compares versions, with its parameters.
    private func statement(
        _ group: Group, _ form: SaveForms.Form, _ ending: SaveForms.Ending, ofOneRow isOfOneRow: Bool
    ) throws -> PostgreSQLStatement {
        var parameters = try parameters(group, form, hasVersions: true)
        if ending == .expect, !isOfOneRow { parameters.append(int8: Int64(group.changes.count)) }
        return PostgreSQLStatement(form.sql, parameters)
    }

    /// - Parameter rows: Those of the group that the parameters are of; all where nothing is said.
    private func parameters(
        _ group: Group, _ form: SaveForms.Form, rows: Range<Int>? = nil, hasVersions: Bool
    ) throws -> PostgreSQLParameters {
        let rows = rows ?? group.changes.indices
        let (store, slots) = (store, form.fields.map(\.slot.index))
        var keys = PostgreSQLArrayBuilder(.int8, capacity: rows.count)
        var versions = PostgreSQLArrayBuilder(.int8, capacity: hasVersions ? rows.count : 0)
        var columns = form.fields.map { ColumnValues($0, capacity: rows.count) }
        // Row by row, as the values of a row are in one place.
        try group.changes.withUnsafeBufferPointer { changes in
            for row in rows {
                keys.append(int8: changes[row].reference)
                if hasVersions { versions.append(int8: changes[row].version) }
                for (index, slot) in slots.enumerated() {
                    try columns[index].append(changes[row].value(slot), in: store)
                }
            }
        }
        var parameters = PostgreSQLParameters()
        parameters.append(keys)
        if hasVersions { parameters.append(versions) }
        for column in columns { parameters.append(column.builder) }
        return parameters
    }

    // MARK: Many rows

    /// From this number of rows on, values are encoded while the server runs the statements before.
    static let leastLateRows = 1_000
    /// The number of rows of the first statement, for which the server waits, and the factor by which the next ones
    /// grow: the server takes longer for a row than encoding its values takes.
    private static let (firstRows, growth) = (250, 5)

    /// Statements whose values are made when they are sent.
    struct Late {
        var statement: PostgreSQLStatement
        var parameters: () throws -> PostgreSQLParameters
    }

    /// Inserts of many rows; nil for fewer.
    ///
    /// - Parameter isFirst: Whether the server has nothing to do yet.
    func lateInserts(_ group: Group, isFirst: Bool) -> [Late]? {
        guard group.changes.count >= Self.leastLateRows else { return nil }
        let form = forms.insert(group.entity)
        let types = Self.types(form, hasVersions: false)
        return Self.pieces(group.changes.count, isFirst).map { rows in
            Late(statement: PostgreSQLStatement(form.sql, lateTypes: types)) {
                try parameters(group, form, rows: rows, hasVersions: false)
            }
        }
    }

    /// Updates of many rows that fail when one of them isn't as expected; nil for fewer.
    func lateUpdates(_ group: Group, isFirst: Bool) -> [Late]? {
        guard group.changes.count >= Self.leastLateRows else { return nil }
        let form = forms.update(
            group.entity, slots: group.slots, checksVersion: group.checksVersion, ending: .expect)
        let types = Self.types(form, hasVersions: true) + [PostgreSQLType.int8.rawValue]
        return Self.pieces(group.changes.count, isFirst).map { rows in
            Late(statement: PostgreSQLStatement(form.sql, lateTypes: types)) {
                var parameters = try parameters(group, form, rows: rows, hasVersions: true)
                parameters.append(int8: Int64(rows.count))
                return parameters
            }
        }
    }

    private static func types(_ form: SaveForms.Form, hasVersions: Bool) -> [UInt32] {
        let system: [PostgreSQLType] = hasVersions ? [.int8, .int8] : [.int8]
        return (system + form.fields.map(\.type)).map { ($0.array ?? .unspecified).rawValue }
    }

    private static func pieces(_ count: Int, _ isFirst: Bool) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var (start, size) = (0, isFirst ? firstRows : mostRows)
        while start < count {
            // What is left over is no statement of its own.
            let end = count - start < size * 2 ? count : start + size
            pieces.append(start..<end)
            (start, size) = (end, min(size * growth, mostRows))
        }
        return pieces
    }

    static func array(_ numbers: [Int64]) -> PostgreSQLArrayBuilder {
        var builder = PostgreSQLArrayBuilder(.int8, capacity: numbers.count)
        for number in numbers { builder.append(int8: number) }
        return builder
    }

    // MARK: What deleted rows leave behind

    /// Removes what refers to deleted rows without being a property of another one: their pairs, and the hidden
    /// columns of rows that they owned.
    func traces() throws -> [PostgreSQLStatement] {
        var statements: [PostgreSQLStatement] = []
        for group in try deleteGroups() {
            let keys = Self.array(group.changes.map(\.reference))
            for relationship in group.entity.relationships {
                for sql in traces(of: relationship) {
                    var parameters = PostgreSQLParameters()
                    parameters.append(keys)
                    statements.append(PostgreSQLStatement(sql, parameters))
                }
            }
        }
        return statements
    }

    private func traces(of relationship: RelationshipMapping) -> [String] {
        switch relationship {
        case .join(let join):
            let columns = join.isReflexive ? [join.ownerColumn, join.destinationColumn] : [join.ownerColumn]
            return columns.map {
                "DELETE FROM \(schema.qualified(join.table)) WHERE \(SQLName.quoted($0)) = ANY($1::int8[])"
            }
        case .hidden(let table, let column):
            let name = SQLName.quoted(column.name)
            return ["UPDATE \(schema.qualified(table)) SET \(emptied(column)) WHERE \(name) = ANY($1::int8[])"]
        case .toOne, .inverse, .none: return []
        }
    }

    // MARK: Pairs

    func deleteLinks() throws -> [PostgreSQLStatement] {
        try links(plan.linkDeletes) { join in
            let (owner, destination) = (SQLName.quoted(join.ownerColumn), SQLName.quoted(join.destinationColumn))
            let reverse = join.isReflexive ? " OR (p.\(owner) = u.d AND p.\(destination) = u.o)" : ""
            return "DELETE FROM \(schema.qualified(join.table)) AS p "
                + "USING unnest($1::int8[], $2::int8[]) AS u(o, d) "
                + "WHERE (p.\(owner) = u.o AND p.\(destination) = u.d)\(reverse)"
        }
    }

    /// A pair that is there already stays, for a reflexive relationship in either direction. An ordered one has it in both,
    /// as each has a place in the other's order.
    func insertLinks() throws -> [PostgreSQLStatement] {
        try links(plan.linkInserts) { join in
            let table = schema.qualified(join.table)
            let (owner, destination) = (SQLName.quoted(join.ownerColumn), SQLName.quoted(join.destinationColumn))
            if join.isReflexive, join.orderColumn != nil {
                return "INSERT INTO \(table) (\(owner), \(destination)) SELECT u.o, u.d "
                    + "FROM unnest($1::int8[] || $2::int8[], $2::int8[] || $1::int8[]) AS u(o, d) "
                    + "ON CONFLICT DO NOTHING"
            }
            let reverse =
                join.isReflexive
                ? " WHERE NOT EXISTS (SELECT 1 FROM \(table) p WHERE p.\(owner) = u.d AND p.\(destination) = u.o)"
                : ""
            return "INSERT INTO \(table) (\(owner), \(destination)) "
                + "SELECT u.o, u.d FROM unnest($1::int8[], $2::int8[]) AS u(o, d)\(reverse) ON CONFLICT DO NOTHING"
        }
    }

    private func links(
        _ links: [LinkChange], _ sql: (JoinMapping) -> String
    ) throws -> [PostgreSQLStatement] {
        guard !links.isEmpty else { return [] }
        var order: [JoinMapping] = []
        var pairs: [JoinMapping: [(Int64, Int64)]] = [:]
        for link in links {
            let join = try self.join(link.relationship)
            if pairs[join] == nil { order.append(join) }
            pairs[join, default: []].append((link.owner, link.destination))
        }
        return order.map { join in
            let sorted = (pairs[join] ?? []).sorted { $0 < $1 }
            var parameters = PostgreSQLParameters()
            parameters.append(Self.array(sorted.map(\.0)))
            parameters.append(Self.array(sorted.map(\.1)))
            return PostgreSQLStatement(sql(join), parameters)
        }
    }

    private func join(_ relationship: RelationshipLayout) throws -> JoinMapping {
        if case .join(let join) = try mapping(relationship.owner).mapping(relationship) { return join }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The relationship \(relationship.name) of \(relationship.owner.name) is not kept in a table of pairs.")
    }

    // MARK: To-manys without an inverse

    func hiddenOwners() throws -> [PostgreSQLStatement] {
        try plan.hiddenOwners.map { change in
            let entity = try mapping(change.relationship.owner)
            guard case .hidden(let table, let column) = entity.mapping(change.relationship) else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The relationship \(change.relationship.name) of \(entity.layout.name) has no hidden column.")
            }
            let name = SQLName.quoted(column.name)
            let update = "UPDATE \(schema.qualified(table)) SET "
            let key = "WHERE \(SQLName.quoted(entity.system.key)) = $1::int8"
            var parameters = PostgreSQLParameters()
            parameters.append(int8: change.destination)
            if let owner = change.owner {
                parameters.append(int8: owner)
                return PostgreSQLStatement("\(update)\(name) = $2::int8 \(key)", parameters)
            }
            // The row may belong to another owner by now.
            if let former = change.formerOwner {
                parameters.append(int8: former)
            } else {
                parameters.appendNull(.int8)
            }
            return PostgreSQLStatement(
                "\(update)\(emptied(column)) \(key) AND \(name) IS NOT DISTINCT FROM $2::int8", parameters)
        }
    }

    /// The assignments that take a row out of a to-many without an inverse: it has no place in an order any more
    /// either.
    private func emptied(_ hidden: ColumnMapping) -> String {
        [hidden.name, hidden.orderColumn].compactMap { $0 }.map { "\(SQLName.quoted($0)) = NULL" }
            .joined(separator: ", ")
    }

    // MARK: Orders

    /// Where the order of a to-many is kept.
    private struct OrderColumns {
        var table: String
        var owner: String
        var destination: String
        var order: String
    }

    private func orderColumns(of relationship: RelationshipLayout) throws -> OrderColumns? {
        let entity = try mapping(relationship.owner)
        switch entity.mapping(relationship) {
        case .inverse(let table, let column), .hidden(let table, let column):
            guard let order = column.orderColumn else { return nil }
            return OrderColumns(
                table: schema.qualified(table), owner: SQLName.quoted(column.name),
                destination: SQLName.quoted(entity.system.key), order: SQLName.quoted(order))
        case .join(let join):
            guard let order = join.orderColumn else { return nil }
            return OrderColumns(
                table: schema.qualified(join.table), owner: SQLName.quoted(join.ownerColumn),
                destination: SQLName.quoted(join.destinationColumn), order: SQLName.quoted(order))
        case .toOne, .none: return nil
        }
    }

    /// The ordered to-manys of the plan by the columns where their orders are.
    private func orderedChanges() throws -> [(columns: OrderColumns, changes: [OrderChange])] {
        var result: [(columns: OrderColumns, changes: [OrderChange])] = []
        var indexes: [String: Int] = [:]
        for change in plan.orders {
            guard let columns = try orderColumns(of: change.relationship) else { continue }
            let key = columns.table + columns.order
            if let known = indexes[key] {
                result[known].changes.append(change)
            } else {
                indexes[key] = result.count
                result.append((columns, [change]))
            }
        }
        return result
    }

    /// Reads the orders as they are. Ask before anything is written.
    func currentOrders() throws -> [PostgreSQLStatement] {
        try orderedChanges().map { columns, changes in
            var parameters = PostgreSQLParameters()
            parameters.append(Self.array(changes.map(\.owner)))
            return PostgreSQLStatement(
                "SELECT \(columns.owner), \(columns.destination), \(columns.order) FROM \(columns.table) "
                    + "WHERE \(columns.owner) = ANY($1::int8[])", parameters)
        }
    }

    private struct Member: Hashable {
        var owner: Int64
        var destination: Int64
    }

    /// Writes the orders, as few numbers as can be.
    ///
    /// - Parameter current: What `currentOrders` gave.
    func orders(_ current: [PostgreSQLResult]) throws -> [PostgreSQLStatement] {
        try zip(orderedChanges(), current).compactMap { entry, result in
            var existing: [Member: Int64] = [:]
            try result.forEachRow { row in
                guard !row.isNull(0), !row.isNull(2) else { return }
                existing[Member(owner: try row.integer(0), destination: try row.integer(1))] = try row.integer(2)
            }
            var (owners, destinations, keys): ([Int64], [Int64], [Int64]) = ([], [], [])
            for change in entry.changes {
                let members = change.destinations.map { Member(owner: change.owner, destination: $0) }
                let numbers = OrderKeys.assign(existing: members.map { existing[$0] })
                for (member, number) in zip(members, numbers) where existing[member] != number {
                    owners.append(member.owner)
                    destinations.append(member.destination)
                    keys.append(number)
                }
            }
            guard !owners.isEmpty else { return nil }
            let columns = entry.columns
            var parameters = PostgreSQLParameters()
            for numbers in [owners, destinations, keys] { parameters.append(Self.array(numbers)) }
            return PostgreSQLStatement(
                "UPDATE \(columns.table) AS t SET \(columns.order) = u.n "
                    + "FROM unnest($1::int8[], $2::int8[], $3::int8[]) AS u(o, d, n) "
                    + "WHERE t.\(columns.destination) = u.d AND t.\(columns.owner) = u.o", parameters)
        }
    }
}

extension RowChange {
    /// Whether the row may be changed only if it still has the version that was read. A damaged version can't be
    /// compared.
    var checksVersion: Bool { version >= 0 && version < RowSlab.lastVersion }

    /// The value of a slot; what a new row was given no value for is null.
    @inline(__always)
    func value(_ slot: Int) -> PropertyValue { slot < values.count ? values[slot] : .null }
}
#endif
