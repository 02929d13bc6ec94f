#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// The objects of a list and their order, as a request describes them.
struct ObjectList {
    let entity: NSEntityDescription
    let predicate: NSPredicate?
    let sortDescriptors: [NSSortDescriptor]
    /// Whether the store can order by identifiers.
    let ordersIdentifiers: Bool
    /// The object and the relationship that lead to the objects; nil for a list of an entity.
    let related: RelatedObjects?
    let hasFilter: Bool

    /// Reads `entity`, `where` and `sort`, or `of` and `via` for what a relationship leads to.
    ///
    /// - Throws: ``InspectorError`` with the range of a mistake in the filter.
    init(_ arguments: RequestArguments, in reader: StoreReader) throws {
        ordersIdentifiers = reader.store.type == NSSQLiteStoreType
        let entity: NSEntityDescription
        var parts: [NSPredicate] = []
        if let owner = arguments["of"] {
            let object = try reader.object(owner)
            let name = try arguments.required("via")
            guard let relationship = object.entity.relationshipsByName[name],
                let destination = relationship.destinationEntity
            else { throw InspectorError(.notFound, "\(object.entity.displayName) has no relationship \(name).") }
            entity = destination
            let objects = RelatedObjects(object, relationship)
            related = objects
            parts.append(objects.predicate)
        } else {
            entity = try reader.entity(arguments.required("entity"))
            related = nil
        }
        self.entity = entity
        hasFilter = arguments["where"] != nil
        if let filter = arguments["where"] {
            parts.append(try Filter.predicate(filter, entity: entity, in: reader))
        }
        predicate = parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
        sortDescriptors = try arguments.list("sort").map { try Self.descriptor($0, entity: entity) }
    }

    /// A request for the objects, with the order made whole by their identifiers, so that pages fit together.
    func request(offset: Int, limit: Int) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.predicate = predicate
        request.sortDescriptors = orderedDescriptors
        request.fetchOffset = offset
        request.fetchLimit = limit
        request.returnsObjectsAsFaults = false
        return request
    }

    /// Checks that the store understands the filter, without reading rows.
    ///
    /// - Throws: What a fetch with the filter throws.
    func check(in reader: StoreReader) throws -> JSONValue {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [NSPredicate(value: false)] + [predicate].compactMap { $0 })
        _ = try reader.context.count(for: request)
        return .object([])
    }

    private var orderedDescriptors: [NSSortDescriptor] {
        guard ordersIdentifiers else { return sortDescriptors }
        let ascending = sortDescriptors.last?.ascending ?? true
        return sortDescriptors + [NSSortDescriptor(key: "objectID", ascending: ascending)]
    }

    private static func descriptor(_ string: String, entity: NSEntityDescription) throws -> NSSortDescriptor {
        let parts = string.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let path = parts.first, parts.count <= 2, ["asc", "desc"].contains(parts.dropFirst().first ?? "asc")
        else { throw InspectorError(.badRequest, "\(string) is not a sort order; write name or name:desc.") }
        if path != Field.objectID.path { _ = try Field(path: path, entity: entity) }
        return NSSortDescriptor(
            key: EnumerationPredicate(entity: entity).replacing(keyPath: path),
            ascending: parts.dropFirst().first != "desc")
    }
}

/// What a relationship of an object leads to, as a condition that the store can ask.
struct RelatedObjects {
    let object: NSManagedObject
    let relationship: NSRelationshipDescription

    init(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) {
        self.object = object
        self.relationship = relationship
    }

    /// The condition that the objects at the end of the relationship meet.
    var predicate: NSPredicate {
        guard relationship.isToMany, let inverse = relationship.inverseRelationship else {
            return NSPredicate(format: "SELF IN %@", argumentArray: [objects.map(\.objectID)])
        }
        let modifier: NSComparisonPredicate.Modifier = inverse.isToMany ? .any : .direct
        return NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: inverse.name),
            rightExpression: NSExpression(forConstantValue: object.objectID), modifier: modifier, type: .equalTo)
    }

    /// The objects, all of them.
    var objects: [NSManagedObject] {
        switch object.value(forKey: relationship.name) {
        case let one as NSManagedObject: [one]
        case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// How many there are, and the first of them.
    func beginning(_ limit: Int, in reader: StoreReader) throws -> (count: Int, objects: [NSManagedObject]) {
        guard let destination = relationship.destinationEntity, relationship.isToMany, !relationship.isOrdered,
            relationship.inverseRelationship != nil
        else {
            let all = objects
            return (all.count, Array(all.prefix(limit)))
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: destination.displayName)
        request.predicate = predicate
        let count = try reader.context.count(for: request)
        guard count > 0 else { return (0, []) }
        request.fetchLimit = limit
        if reader.store.type == NSSQLiteStoreType {
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
        }
        request.returnsObjectsAsFaults = false
        return (count, try reader.context.fetch(request))
    }
}
#endif
