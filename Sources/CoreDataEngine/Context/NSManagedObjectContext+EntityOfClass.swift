/// Classes, as the layers above the engine ask for them.
extension NSManagedObjectContext {
    /// The entities of this context's model that name a class, with or without its module. Usually one; none when the
    /// context has no model.
    package final func entities(ofClass type: NSManagedObject.Type) -> [EntityLayout] {
        if let known = entityListsByClass[ObjectIdentifier(type)] { return known }
        ManagedObjectClass.noticed(type)
        let fullName = String(reflecting: type)
        let shortName = fullName.split(separator: ".").last.map(String.init) ?? fullName
        let found = (layout?.entities ?? []).filter { entity in
            guard var name = entity.entity.managedObjectClassName, !name.isEmpty else {
                return type == NSManagedObject.self
            }
            if name.hasPrefix(".") { name.removeFirst() }
            return name == fullName || name == shortName || name.contains(".") && ManagedObjectClass.of(entity) == type
        }
        entityListsByClass[ObjectIdentifier(type)] = found
        return found
    }

    /// The first registered object that fits, of an entity or its subentities, with values in memory and not deleted.
    package final func firstLoaded(_ layout: EntityLayout, where fits: (NSManagedObject) -> Bool) -> NSManagedObject? {
        checkQueue()
        return registry.objects().first { object in
            !object.state.isFault && !object.state.isDeleted && object.layout.isKind(of: layout) && fits(object)
        }
    }
}
