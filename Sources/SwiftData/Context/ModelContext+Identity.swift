import CoreDataEngine

extension ModelContext {
    /// The model of an object: the one that is there, or a new one.
    func model(of object: BackedObject) -> (any PersistentModel)? {
        guard let name = object.entity.name, let type = stack.schema.types[name] else { return nil }
        let descriptor = ModelDescriptor.of(type)
        if let found = object.model.object { return descriptor.model(found) }
        if let twin = twins.model(of: object) {
            // The model that the object referred to has ended.
            object.model.set(twin)
            return twin
        }
        return make(type, object, descriptor)
    }

    /// The model of an object, if it is of a class and its row has the values that it needs.
    func model<Model: PersistentModel>(of object: BackedObject, as type: Model.Type) -> Model? {
        if let model = object.liveModel(as: type) { return model }
        return missingValue(of: object) == nil ? model(of: object) as? Model : nil
    }

    // MARK: Missing values

    /// Whether rows of an entity, or of one below it, may lack a value that nothing can stand for.
    func mayLackValues(_ entity: NSEntityDescription?) -> Bool {
        guard !stack.needed.isEmpty, let entity else { return false }
        return entity.name.flatMap { stack.needed[$0] } != nil || entity.subentities.contains(where: mayLackValues)
    }

    /// - Throws: An error about the first object whose row lacks a value that nothing can stand for.
    func requireValues(of objects: some Sequence<NSManagedObject>, _ entity: NSEntityDescription?) throws {
        guard mayLackValues(entity) else { return }
        for object in objects {
            if let error = BackedObject.of(object).flatMap(missingValue) { throw error }
        }
    }

    /// What is wrong with a row that lacks a value which nothing can stand for. No value is decoded.
    func missingValue(of object: BackedObject) -> SwiftDataError? {
        if stack.needed.isEmpty || object.objectID.isTemporaryID { return nil }
        guard let name = object.entity.name, let needed = stack.needed[name],
            let slot = needed.first(where: { !$0.hasValue(object) && !$0.hasStandIn })
        else { return nil }
        let reason =
            "\(name).\(slot.name) of \(PersistentIdentifier(object.objectID)) has no value, and no value can be made "
            + "for it: give the property an initial value, or an optional type."
        return SwiftDataError(.modelValidationFailure, reason)
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
    /// The store isn't asked, so a model whose row is gone is returned as well. For an identifier of another container's
    /// store, the model has initial values and belongs to no context. An identifier whose entity isn't in the schema is a
    /// programmer error, and so is reading a property for which the row has no value and none can be made.
    ///
    /// - Parameter persistentModelID: The identifier.
    /// - Returns: The model.
    public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
        if let object = object(for: persistentModelID), let model = model(of: object) { return model }
        guard let type = stack.schema.types[persistentModelID.entityName] else {
            programmerError("There is no entity \(persistentModelID.entityName) in the container's schema.")
        }
        return ModelStorage.standIn(of: type)
    }

    /// The model with an identifier, if the context has it already.
    ///
    /// The store isn't asked.
    ///
    /// - Parameter persistentModelID: The identifier.
    /// - Returns: The model; `nil` if the context doesn't have it, it is of another class, or its row lacks a value for
    ///   which none can be made.
    public func registeredModel<T: PersistentModel>(for persistentModelID: PersistentIdentifier) -> T? {
        guard let objectID = objectID(for: persistentModelID),
            let object = engine.registeredObject(for: objectID) as? BackedObject
        else { return nil }
        return object.isFault ? model(of: object) as? T : model(of: object, as: T.self)
    }

    /// The model with an identifier; `nil` if the store has no row for it, or one without a value that it needs.
    func existingModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        guard let objectID = objectID(for: identifier),
            let object = try? engine.existingObject(with: objectID) as? BackedObject
        else { return nil }
        return model(of: object, as: T.self)
    }

    private func object(for identifier: PersistentIdentifier) -> BackedObject? {
        objectID(for: identifier).flatMap { engine.object(with: $0) as? BackedObject }
    }

    private func objectID(for identifier: PersistentIdentifier) -> NSManagedObjectID? {
        identifier.objectID
            ?? identifier.uri.flatMap { stack.coordinator.managedObjectID(forURIRepresentation: $0) }
    }
}
