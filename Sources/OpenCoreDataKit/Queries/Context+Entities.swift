/// The entity of a class, in the model of the context at hand.
extension NSManagedObjectContext {
    /// Returns the entity of a class in this context's model.
    ///
    /// Only the model of this context counts, so that several databases with equal models can be open in one process.
    ///
    /// - Parameter type: The class.
    /// - Throws: ``DatabaseError/unknownEntity(className:known:)``,
    ///   ``DatabaseError/ambiguousEntity(className:entities:)``, or ``DatabaseError/closed(name:)`` if the context has
    ///   no stores.
    @_disfavoredOverload  // Libraries on the kit have a function of this name, with errors of their own.
    public func entity(for type: NSManagedObject.Type) throws -> NSEntityDescription {
        try entityLayout(for: type, named: nil).entity
    }

    func entityLayout<T>(of query: Query<T>) throws -> EntityLayout {
        try entityLayout(for: T.self, named: query.entityName)
    }

    package func entityLayout(for type: NSManagedObject.Type, named entityName: String?) throws -> EntityLayout {
        guard let layout else { throw DatabaseError.closed(name: name ?? "of the context") }
        if let entityName {
            if let found = layout[entityName] { return found }
            throw DatabaseError.unknownEntity(className: entityName, known: layout.entities.map(\.name).sorted())
        }
        let found = entities(ofClass: type)
        if let only = found.first, found.count == 1 { return only }
        let className = String(reflecting: type)
        guard found.isEmpty else {
            throw DatabaseError.ambiguousEntity(className: className, entities: found.map(\.name).sorted())
        }
        let known = layout.entities.map { entity in
            entity.entity.managedObjectClassName.map { "\(entity.name) (\($0))" } ?? entity.name
        }
        throw DatabaseError.unknownEntity(className: className, known: known.sorted())
    }
}
