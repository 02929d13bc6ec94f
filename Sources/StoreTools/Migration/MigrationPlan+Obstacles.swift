package import Foundation
import OpenCoreData

extension MigrationPlan {
    /// Finds the reasons why an inferred migration of a store would be refused. Nothing is changed.
    ///
    /// - Throws: `ToolFailure` that names the attribute whose values would be missing, the entity that can't have
    ///   objects, or the objects that break a unique constraint.
    package func checkObstacles(inStoreAt url: URL, source: ModelSource) throws {
        guard keepsIdentifiers else { return }
        let session = try StoreSession(url: url, source: source, access: .reading)
        defer { try? session.coordinator.remove(session.store) }
        try session.perform { context in
            for change in changes {
                guard let source = change.source, let destination = change.destination, !source.isAbstract else {
                    continue
                }
                if destination.isAbstract, try Self.count(source, without: nil, in: context) > 0 {
                    throw ToolFailure(
                        "The migration would be refused: \(destination.displayName) is abstract in the new version, and "
                            + "there are objects of it.")
                }
                for attribute in destination.storedAttributes {
                    try Self.check(attribute, of: change, source, in: context)
                }
            }
            try checkConstraints(in: context)
        }
    }

    /// Checks that all objects get a value of a mandatory attribute.
    private static func check(
        _ attribute: NSAttributeDescription, of change: EntityChange, _ source: NSEntityDescription,
        in context: NSManagedObjectContext
    ) throws {
        guard !attribute.isOptional, attribute.defaultValue == nil, !(attribute is NSDerivedAttributeDescription),
            !(attribute is NSCompositeAttributeDescription)
        else { return }
        let mapping = change.mapping.attributeMappings?.first { $0.name == attribute.name }
        let former = sourceKey(mapping).flatMap { source.attributesByName[$0] }
        guard former?.isOptional ?? true else { return }
        let count = try count(source, without: former?.name, in: context)
        guard count > 0 else { return }
        throw ToolFailure(
            "The migration would be refused: \(change.destination?.displayName ?? "").\(attribute.name) is mandatory in "
                + "the new version and has no default value, and \(count == 1 ? "1 object has" : "\(count) objects have") "
                + "no value for it.")
    }

    /// How many objects an entity has, all or those without a value.
    private static func count(
        _ entity: NSEntityDescription, without key: String?, in context: NSManagedObjectContext
    ) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.includesSubentities = false
        if let key { request.predicate = NSPredicate(format: "%K == nil", key) }
        return try context.count(for: request)
    }
}
