import Foundation
package import OpenCoreData

extension StoreSession {
    /// The value of a relationship to the objects with these names.
    ///
    /// - Throws: `ToolFailure` for an unknown name, an object of another entity, and several objects for a to-one.
    package func destinations(
        of relationship: NSRelationshipDescription, named names: [String], in context: NSManagedObjectContext
    ) throws -> Any? {
        let objects = try names.map { name in
            let object = try object(named: name, in: context)
            if let destination = relationship.destinationEntity, !object.entity.isKindOf(entity: destination) {
                throw ToolFailure(
                    "\(name) is of the entity \(object.entity.displayName); "
                        + "\(relationship.name) leads to \(destination.displayName).")
            }
            return object
        }
        guard relationship.isToMany else {
            guard objects.count <= 1 else {
                throw ToolFailure("\(relationship.name) is a to-one relationship and can't have several objects.")
            }
            return objects.first
        }
        return relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects)
    }
}
