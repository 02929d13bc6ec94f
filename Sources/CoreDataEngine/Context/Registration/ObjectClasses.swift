import Synchronization

/// The classes of a context's objects, and the entities of classes, each looked up once.
struct ObjectClasses {
    /// The layout of the context's model.
    private(set) var layout: ModelLayout?
    /// By the index of the entity.
    private var classes: [NSManagedObject.Type?] = []
    /// What `ManagedObjectClass.generation` was when classes were not found.
    private var generation = -1
    private var entities: [ObjectIdentifier: EntityLayout] = [:]
    private var entityLists: [ObjectIdentifier: [EntityLayout]] = [:]
    /// What objects are made with.
    var materializers = Materializers()

    /// Makes the classes those of another model.
    mutating func adopt(_ layout: ModelLayout?) {
        self.layout = layout
        classes = Array(repeating: nil, count: layout?.entities.count ?? 0)
        entities = [:]
        entityLists = [:]
    }

    /// Looks an entity up by class, for `init(context:)`.
    mutating func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        if let known = entities[ObjectIdentifier(type)] { return known.entity }
        ManagedObjectClass.noticed(type)
        let all = layout?.entities ?? []
        let name = String(describing: type)
        let found =
            all.first { ManagedObjectClass.of($0) == type }
            ?? all.first { $0.name == name }
        entities[ObjectIdentifier(type)] = found
        return found?.entity
    }

    /// The entities that name a class, with or without its module. Usually one; none without a model.
    mutating func entities(ofClass type: NSManagedObject.Type) -> [EntityLayout] {
        if let known = entityLists[ObjectIdentifier(type)] { return known }
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
        entityLists[ObjectIdentifier(type)] = found
        return found
    }

    /// The class of an entity's objects in this program.
    @inline(__always)
    mutating func objectClass(of layout: EntityLayout) -> NSManagedObject.Type {
        if layout.index < classes.count, let known = classes[layout.index],
            known != NSManagedObject.self
                || generation == ManagedObjectClass.generation.load(ordering: .relaxed)
        {
            return known
        }
        return findClass(of: layout)
    }

    /// Looks for the class of an entity. A negative result is valid until another class or image is loaded.
    @inline(never)
    private mutating func findClass(of layout: EntityLayout) -> NSManagedObject.Type {
        let current = ManagedObjectClass.generation.load(ordering: .acquiring)
        if generation != current {
            generation = current
            for index in classes.indices where classes[index] == NSManagedObject.self { classes[index] = nil }
        }
        let found = ManagedObjectClass.forObjects(of: layout)
        if layout.index < classes.count { classes[layout.index] = found }
        return found
    }
}

/// Classes, as the layers above the engine ask for them.
extension NSManagedObjectContext {
    /// The entities of this context's model that name a class, with or without its module. Usually one; none when the
    /// context has no model.
    package final func entities(ofClass type: NSManagedObject.Type) -> [EntityLayout] {
        objectClasses.entities(ofClass: type)
    }

    /// Looks an entity up by class, for `init(context:)`.
    final func entity(for type: NSManagedObject.Type) -> NSEntityDescription? { objectClasses.entity(for: type) }

    /// The class of an entity's objects in this program.
    final func objectClass(of layout: EntityLayout) -> NSManagedObject.Type {
        if options.isMigrating { return NSManagedObject.self }
        return objectClasses.objectClass(of: layout)
    }

    /// The first registered object that fits, of an entity or its subentities, with values in memory and not deleted.
    package final func firstLoaded(_ layout: EntityLayout, where fits: (NSManagedObject) -> Bool) -> NSManagedObject? {
        checkQueue()
        return registry.objects().first { object in
            !object.state.isFault && !object.state.isDeleted && object.layout.isKind(of: layout) && fits(object)
        }
    }
}
