import Foundation
package import OpenCoreData

extension StoreSession {
    /// The identifier that a user's string names; nil when it names none. Whether there is such an object is not asked.
    package func objectID(named name: String) -> NSManagedObjectID? {
        ObjectName.uri(name, storeIdentifier: store.identifier ?? "").flatMap { URL(string: $0) }
            .flatMap(coordinator.managedObjectID(forURIRepresentation:))
    }

    /// The object that a user named by its URI or by `Entity/p12`. The entity may be one that the object's own inherits from.
    package func object(named name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let id = objectID(named: name) else {
            throw unknownObject(name)
                ?? ToolFailure(
                    "\(name) isn't the name of an object in the store \(self.name); use Entity/p12 or the whole URI.")
        }
        // A row has one number in all entities of its table, so that asking by the identifier alone would take a book for a
        // novel.
        let request = NSFetchRequest<NSManagedObject>(entityName: id.entity.displayName)
        request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
        guard let object = try context.fetch(request).first else {
            throw ToolFailure("The store \(self.name) has no object \(ObjectName.short(id)).")
        }
        return object
    }

    /// What is wrong with a string that looks like the name of an object and names none; nil when it doesn't look like one.
    func unknownObject(_ name: String) -> ToolFailure? {
        guard let uri = ObjectName.uri(name, storeIdentifier: store.identifier ?? ""),
            let entity = ObjectName.short(uri).split(separator: "/").first.map(String.init)
        else { return nil }
        if model.entitiesByName[entity] == nil { return ModelSource.unknown(entity: entity, in: model) }
        guard name.hasPrefix(ObjectName.scheme) else { return nil }
        return ToolFailure(
            "\(name) is an object of another store: those of \(self.name) begin with "
                + "\(ObjectName.scheme)\(store.identifier ?? "").")
    }
}
