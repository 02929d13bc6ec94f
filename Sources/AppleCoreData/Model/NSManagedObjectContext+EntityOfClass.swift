#if canImport(ObjectiveC)
package import CoreData

/// Classes, as the kit asks for them.
extension NSManagedObjectContext {
    /// The entities of this context's model; `nil` without a coordinator.
    package var layout: ModelLayout? {
        persistentStoreCoordinator.map { ModelLayout($0.managedObjectModel) }
    }

    /// The entities of this context's model that name a class, with or without its module.
    package func entities(ofClass type: NSManagedObject.Type) -> [EntityLayout] {
        let fullName = NSStringFromClass(type)
        let shortName = fullName.split(separator: ".").last.map(String.init) ?? fullName
        return (layout?.entities ?? []).filter { layout in
            guard var name = layout.entity.managedObjectClassName, !name.isEmpty else {
                return type == NSManagedObject.self
            }
            if name.hasPrefix(".") { name.removeFirst() }
            return name == fullName || name == shortName
        }
    }

    /// The first registered object that fits, of an entity or its subentities, with values in memory and not deleted.
    package func firstLoaded(_ layout: EntityLayout, where fits: (NSManagedObject) -> Bool) -> NSManagedObject? {
        registeredObjects.first { object in
            !object.isFault && !object.isDeleted && object.entity.isKindOf(entity: layout.entity) && fits(object)
        }
    }
}

/// The class behind an entity, which Apple's framework finds by its name.
package enum ManagedObjectClass {
    /// Does nothing: the runtime knows all classes.
    package static func noticed(_ type: NSManagedObject.Type) {}
}
#endif
