import Foundation
package import OpenCoreData

/// Finds out, without saving, whether a save would break a unique constraint.
///
/// Changes may be checked and forgotten piece by piece: a check counts what the ones before it have let pass.
package final class UniquenessCheck {
    private struct Constraint: Hashable {
        let entity: String
        let keys: [String]
    }

    /// The keys that earlier pieces would have saved.
    private var taken: [Constraint: Set<StoredKey>] = [:]
    /// The objects whose keys in the store no longer count.
    private var changed: [Constraint: Set<NSManagedObjectID>] = [:]
    private var deleted: Set<NSManagedObjectID> = []

    package init() {}

    /// Checks the pending changes of a context.
    ///
    /// - Throws: `ToolFailure` that names an object with the same key.
    package func check(_ context: NSManagedObjectContext) throws {
        context.processPendingChanges()
        deleted.formUnion(context.deletedObjects.map(\.objectID))
        var wanted: [Constraint: [StoredKey: NSManagedObject]] = [:]
        for object in context.insertedObjects.union(context.updatedObjects) {
            for constraint in Self.constraints(of: object.entity) where isChanged(object, constraint.keys) {
                changed[constraint, default: []].insert(object.objectID)
                guard let key = StoredKey(constraint.keys.map { object.value(forKey: $0) }) else { continue }
                let other = wanted[constraint, default: [:]].updateValue(object, forKey: key)
                if other != nil || taken[constraint]?.contains(key) == true {
                    throw refusal(object, constraint, key, other: "another object")
                }
            }
        }
        for (constraint, keys) in wanted {
            try search(keys, constraint, in: context)
            taken[constraint, default: []].formUnion(keys.keys)
        }
    }

    private static func constraints(of entity: NSEntityDescription) -> [Constraint] {
        entity.uniqueConstraints.filter { constraint in
            constraint.keys.allSatisfy { key in
                guard let attribute = entity.attributesByName[key] else {
                    return entity.relationshipsByName[key] != nil
                }
                return attribute.attributeType != .transformableAttributeType
                    && !(attribute is NSCompositeAttributeDescription)
            }
        }.map { Constraint(entity: $0.entity.displayName, keys: $0.keys) }
    }

    private func isChanged(_ object: NSManagedObject, _ keys: [String]) -> Bool {
        if object.isInserted { return true }
        let changes = object.changedValues()
        return keys.contains { changes[$0] != nil }
    }

    /// Looks for the keys in the store.
    private func search(
        _ wanted: [StoredKey: NSManagedObject], _ constraint: Constraint, in context: NSManagedObjectContext
    ) throws {
        let identifier = NSExpressionDescription()
        identifier.name = "objectID"
        identifier.expression = NSExpression.expressionForEvaluatedObject()
        identifier.expressionResultType = .objectIDAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: constraint.entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [identifier] + constraint.keys
        request.includesPendingChanges = false
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: constraint.keys[0]),
            rightExpression: NSExpression(forConstantValue: wanted.keys.compactMap(\.values.first)),
            modifier: .direct, type: .in)
        for row in try context.fetch(request) {
            guard let id = row["objectID"] as? NSManagedObjectID, !deleted.contains(id),
                changed[constraint]?.contains(id) != true, let key = StoredKey(constraint.keys.map { row[$0] }),
                let object = wanted[key]
            else { continue }
            throw refusal(object, constraint, key, other: ObjectName.short(id))
        }
    }

    private func refusal(
        _ object: NSManagedObject, _ constraint: Constraint, _ key: StoredKey, other: String
    ) -> ToolFailure {
        let name =
            object.objectID.isTemporaryID
            ? "The new object of the entity \(object.entity.displayName)" : ObjectName.short(object.objectID)
        let values = zip(constraint.keys, key.values).map { name, value in
            let json = object.entity.attributesByName[name].map { AttributeCoding.json(value, of: $0) }
            return "\(name) \(JSONText.string(of: json ?? DynamicJSON.json(value)))"
        }
        return ToolFailure(
            "\(name) can't be saved: \(other) has the same \(values.joined(separator: " and ")), which must be unique.")
    }
}
