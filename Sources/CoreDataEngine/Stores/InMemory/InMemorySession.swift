import Foundation

/// One question to an in-memory store: the rows as they were when it was asked, and what is computed on the way.
class InMemorySession {
    var contents: InMemoryContents
    /// The store's, by which its objects are known; `nil` where no predicate is evaluated.
    let storeIdentifier: String?
    /// What went wrong when rows were read that a predicate asked for.
    var failure: (any Error)?
    private var rowsByTable: [[Int64: InMemoryRow]]
    private var missingRows: [ObjectReference: InMemoryRow] = [:]
    private var destinationsByOwner: [RelationshipKey: [Int64: [Int64]]] = [:]

    init(contents: InMemoryContents, storeIdentifier: String? = nil) {
        self.contents = contents
        self.storeIdentifier = storeIdentifier
        rowsByTable = Array(repeating: [:], count: contents.tables.count)
    }

    // MARK: What rows are made of

    /// The row of a reference, if it exists.
    func record(_ reference: Int64, root: EntityLayout) -> InMemoryRecord? {
        contents.tables[root.root.index][reference]
    }

    /// The value of a row's slot.
    func value(of slot: SlotLayout, in record: InMemoryRecord) throws -> PropertyValue { record.values[slot.index] }

    /// A constant of a predicate as the rows' values are compared with it.
    func constant(_ value: Any) -> Any { value }

    /// The object of a row; `nil` if the row doesn't exist.
    func row(reference: Int64, root: EntityLayout) -> InMemoryRow? {
        let table = root.root.index
        if let known = rowsByTable[table][reference] { return known }
        guard let record = record(reference, root: root.root) else { return nil }
        let row = InMemoryRow(record: record, session: self)
        rowsByTable[table][reference] = row
        return row
    }

    /// The object of a row or, as in a database, something without values in place of one that is missing: what refers to
    /// a deleted row doesn't refer to nothing.
    func row(_ target: ObjectReference, root: EntityLayout) -> InMemoryRow {
        if let row = row(reference: target.reference, root: root) { return row }
        let key = ObjectReference(reference: target.reference, entityIndex: Int32(truncatingIfNeeded: root.root.index))
        if let known = missingRows[key] { return known }
        let record = InMemoryRecord(
            entity: root.root, reference: target.reference, version: 0,
            values: ContiguousArray(repeating: .null, count: root.root.slotCount))
        let row = InMemoryRow(record: record, session: self)
        missingRows[key] = row
        return row
    }

    // MARK: Fetching

    /// The rows that match a query, in order and within its window.
    func rows(_ query: StoreQuery) throws -> [InMemoryRow] {
        windowed(try sorted(try matchingRows(query), by: query.sortDescriptors), query)
    }

    /// The rows that match, by reference.
    func matchingRows(_ query: StoreQuery) throws -> [InMemoryRow] {
        let entity = query.entity
        let references = contents.tables[entity.root.index].values
            .filter { query.includesSubentities ? $0.entity.isKind(of: entity) : $0.entity === entity }
            .map(\.reference).sorted()
        let rows = references.compactMap { row(reference: $0, root: entity.root) }
        guard let predicate = query.predicate else { return rows }
        try PredicateCheck(entity: entity, variables: query.variables).checkWhole(predicate)
        return try filtered(rows, predicate, query)
    }

    /// Those of some rows that match a predicate, which was checked.
    func filtered(_ rows: [InMemoryRow], _ predicate: NSPredicate, _ query: StoreQuery) throws -> [InMemoryRow] {
        let constants = InMemoryConstants(session: self, model: query.entity.model)
        let prepared = constants.mapped(predicate)
        let variables = query.variables.mapValues { constants.mapped($0) ?? NSNull() }
        return try rows.filter { row in
            do {
                let isMatch = try prepared.matches(row, variables: variables)
                if let failure { throw failure }
                return isMatch
            } catch {
                throw failure ?? error
            }
        }
    }

    /// Sorts; rows that compare equal come by reference.
    func sorted(_ rows: [InMemoryRow], by descriptors: [NSSortDescriptor]) throws -> [InMemoryRow] {
        guard !descriptors.isEmpty else { return rows }
        return try Self.sorted(rows, by: descriptors) { row, descriptor in try descriptor.value(of: row) }
    }

    /// Sorts stably by descriptors whose values a closure reads.
    static func sorted<Element>(
        _ elements: [Element], by descriptors: [NSSortDescriptor],
        value: (Element, NSSortDescriptor) throws -> Any?
    ) throws -> [Element] {
        for descriptor in descriptors { if let error = descriptor.formatError { throw error } }
        let keys = try elements.map { element in try descriptors.map { try value(element, $0) } }
        let order = elements.indices.sorted { left, right in
            for (index, descriptor) in descriptors.enumerated() {
                switch descriptor.compareValues(keys[left][index], keys[right][index]) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left < right
        }
        return order.map { elements[$0] }
    }

    func windowed<Element>(_ elements: [Element], _ query: StoreQuery) -> [Element] {
        let rest = elements.dropFirst(max(0, query.offset))
        return Array(query.limit > 0 ? rest.prefix(query.limit) : rest)
    }

    // MARK: To-many relationships

    /// The destinations of a to-many relationship: in its order when it has one, else by reference.
    func destinations(of relationship: RelationshipLayout, owner: Int64) -> [InMemoryRow] {
        let root = relationship.destination.root
        return destinationReferences(of: relationship, owner: owner).compactMap { row(reference: $0, root: root) }
    }

    /// The numbers of the destinations, in the same order.
    func destinationReferences(of relationship: RelationshipLayout, owner: Int64) -> [Int64] {
        let key = RelationshipKey(relationship)
        let grouped: [Int64: [Int64]]
        if let known = destinationsByOwner[key] {
            grouped = known
        } else {
            grouped = group(relationship)
            destinationsByOwner[key] = grouped
        }
        guard var references = grouped[owner] else { return [] }
        references.sort()
        return relationship.isOrdered ? ordered(references, by: contents.orders[key]?[owner] ?? []) : references
    }

    /// Destinations in the kept order; those that it doesn't know come last.
    private func ordered(_ references: [Int64], by order: [Int64]) -> [Int64] {
        let members = Set(references)
        let known = order.filter { members.contains($0) }
        let placed = Set(known)
        return known + references.filter { !placed.contains($0) }
    }

    private func group(_ relationship: RelationshipLayout) -> [Int64: [Int64]] {
        var result: [Int64: [Int64]] = [:]
        guard let inverse = relationship.inverse else {
            for (destination, owner) in contents.hiddenOwners[RelationshipKey(relationship)] ?? [:] {
                result[owner, default: []].append(destination)
            }
            return result
        }
        if inverse.isToMany {
            groupLinks(relationship, into: &result)
        } else {
            groupRows(pointingBack: inverse, into: &result)
        }
        return result
    }

    private func groupLinks(_ relationship: RelationshipLayout, into result: inout [Int64: [Int64]]) {
        let side = relationship.linkSide
        for pair in contents.links[side.key] ?? [] {
            if side.isFirst {
                result[pair.first, default: []].append(pair.second)
                if side.isReflexive, pair.first != pair.second { result[pair.second, default: []].append(pair.first) }
            } else {
                result[pair.second, default: []].append(pair.first)
            }
        }
    }

    private func groupRows(pointingBack inverse: RelationshipLayout, into result: inout [Int64: [Int64]]) {
        guard let slot = inverse.slot else { return }
        for record in contents.tables[inverse.owner.root.index].values where record.entity.isKind(of: inverse.owner) {
            guard slot < record.values.count, case .reference(let owner) = record.values[slot] else { continue }
            result[owner.reference, default: []].append(record.reference)
        }
    }
}
