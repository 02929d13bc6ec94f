import Foundation

/// Answers in the form in which contexts take them.
extension InMemorySession {
    /// The rows that match a query.
    func slab(_ query: StoreQuery) throws -> RowSlab {
        slab(try rows(query), entity: query.entity, includesValues: query.includesValues)
    }

    /// How many rows match a query.
    func count(_ query: StoreQuery) throws -> Int {
        var query = query
        query.sortDescriptors = []
        return try rows(query).count
    }

    /// The rows with these references that there are.
    func slab(references: [Int64], entity: EntityLayout, includesValues: Bool) -> RowSlab {
        let rows = references.compactMap { row(reference: $0, root: entity.root) }
        return slab(rows, entity: entity, includesValues: includesValues)
    }

    /// The destinations of a relationship, owner by owner.
    func toManyRows(_ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool) -> ToManyRows {
        let slab = RowSlab(entity: relationship.destination, hasValues: includesValues)
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(owners.count)
        for owner in owners {
            let start = slab.count
            for row in destinations(of: relationship, owner: owner) { row.append(to: slab) }
            ranges.append(start..<slab.count)
        }
        slab.timestamp = Date().timeIntervalSinceReferenceDate
        return ToManyRows(rows: slab, ranges: ranges)
    }

    /// The numbers of a relationship's destinations that there are, in order.
    func targets(of relationship: RelationshipLayout, _ record: InMemoryRecord) -> [Int64] {
        guard let slot = relationship.slot else {
            return destinations(of: relationship, owner: record.reference).map(\.record.reference)
        }
        guard case .reference(let target) = record.values[slot],
            contents.record(target.reference, root: relationship.destination.root) != nil
        else { return [] }
        return [target.reference]
    }

    private func slab(_ rows: [InMemoryRow], entity: EntityLayout, includesValues: Bool) -> RowSlab {
        let slab = RowSlab(entity: entity, hasValues: includesValues, expectedCount: rows.count)
        for row in rows { row.append(to: slab) }
        slab.timestamp = Date().timeIntervalSinceReferenceDate
        return slab
    }
}

extension NSPersistentStore {
    /// Refuses a model with derived attributes, for stores that compute none.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names the attribute.
    func refuseDerivedAttributes(in entities: [NSEntityDescription]) throws {
        for entity in entities {
            for case let attribute as NSDerivedAttributeDescription in entity.properties {
                throw CoreDataError.make(
                    NSPersistentStoreIncompatibleSchemaError,
                    "A store of the type '\(type)' can't keep the derived attribute "
                        + "\(entity.name ?? "").\(attribute.name).", path: url?.path)
            }
        }
    }
}
