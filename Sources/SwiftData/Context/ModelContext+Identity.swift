import CoreDataEngine

extension ModelContext {
    /// The model of an object: the one that is there, or a new one.
    func model(of object: BackedObject) -> (any PersistentModel)? {
        guard let name = object.entity.name, let type = stack.schema.types[name] else { return nil }
        let descriptor = ModelDescriptor.of(type)
        if let found = object.model.object { return descriptor.model(found) }
        return make(type, object, descriptor)
    }

    /// The model of an object, if it is of a class.
    func model<Model: PersistentModel>(of object: BackedObject, as type: Model.Type) -> Model? {
        object.liveModel(as: type) ?? model(of: object) as? Model
    }

    func make<Model: PersistentModel>(
        _ type: Model.Type, _ object: BackedObject, _ descriptor: ModelDescriptor
    ) -> Model {
        let storage = ModelStorage(descriptor, object, in: self)
        let model = type.init(backingData: ModelBackingData<Model.Root>(storage))
        storage._show(model)
        return model
    }

    /// The object of a model, which is inserted unless it is in the context.
    func object(of model: any PersistentModel) -> BackedObject? {
        let storage = _storage(of: model)
        if storage.object == nil, !storage.isGone { insertAny(model) }
        guard let object = storage.object else { return nil }
        if storage.context === self { return object }
        refuse(
            SwiftDataError(
                .missingModelContext,
                "A \(storage.identifier.entityName) of another context is assigned to a relationship."))
        return nil
    }

    /// The model with an identifier. Its values are read when they are asked for.
    ///
    /// The store isn't asked, so a model whose row is gone is returned as well. An identifier that belongs to no model
    /// of the container is a programmer error.
    ///
    /// - Parameter persistentModelID: The identifier.
    /// - Returns: The model.
    public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
        guard let object = object(for: persistentModelID), let model = model(of: object) else {
            programmerError("There is no model with the identifier \(persistentModelID) in this container.")
        }
        return model
    }

    /// The model with an identifier, if the context has it already.
    ///
    /// The store isn't asked.
    ///
    /// - Parameter persistentModelID: The identifier.
    /// - Returns: The model; `nil` if the context doesn't have it, or it is of another class.
    public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
        guard let objectID = objectID(for: persistentModelID),
            let object = engine.registeredObject(for: objectID) as? BackedObject
        else { return nil }
        return model(of: object) as? T
    }

    /// The model with an identifier; nil where the store has no row for it.
    func existingModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        guard let objectID = objectID(for: identifier),
            let object = try? engine.existingObject(with: objectID) as? BackedObject
        else { return nil }
        return model(of: object) as? T
    }

    private func object(for identifier: PersistentIdentifier) -> BackedObject? {
        objectID(for: identifier).flatMap { engine.object(with: $0) as? BackedObject }
    }

    private func objectID(for identifier: PersistentIdentifier) -> NSManagedObjectID? {
        identifier.objectID
            ?? identifier.uri.flatMap { stack.coordinator.managedObjectID(forURIRepresentation: $0) }
    }
}
