import Foundation
import OpenCoreData

/// Looks in any store for objects without a value that the model demands. Nothing is changed.
struct MissingValues {
    /// The most findings for one property.
    private static let limit = 100

    private let session: StoreSession

    init(storeAt url: URL, model: NSManagedObjectModel) throws {
        session = try StoreSession(url: url, source: ModelSource(model: model, origin: .store(url)), access: .reading)
    }

    func find() throws -> [ValueFinding] {
        defer { try? session.coordinator.remove(session.store) }
        return try session.perform { context in
            try session.model.sortedEntities.flatMap { entity in
                try Self.demanded(by: entity).flatMap { try find($0, of: entity, in: context) }
            }
        }
    }

    /// What an entity itself declares and each of its objects must have.
    private static func demanded(by entity: NSEntityDescription) -> [NSPropertyDescription] {
        let attributes = entity.storedAttributes.filter {
            !($0 is NSDerivedAttributeDescription) && !($0 is NSCompositeAttributeDescription)
        }
        let all: [NSPropertyDescription] = attributes + entity.storedRelationships.filter { !$0.isToMany }
        return all.filter { !$0.isOptional && entity.superentity?.propertiesByName[$0.name] == nil }
    }

    private func find(
        _ property: NSPropertyDescription, of entity: NSEntityDescription, in context: NSManagedObjectContext
    ) throws -> [ValueFinding] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.displayName)
        request.resultType = .managedObjectIDResultType
        request.predicate = NSPredicate(format: "%K == nil", argumentArray: [property.name])
        request.fetchLimit = Self.limit
        let what = property is NSRelationshipDescription ? "has no object" : "has no value"
        return try context.fetch(request).map { id in
            ValueFinding(
                kind: .missing, level: .notice, table: entity.displayName, row: id.reference,
                object: ObjectName.short(id),
                property: property.name, message: "\(property.name) \(what), but is required.")
        }
    }
}
