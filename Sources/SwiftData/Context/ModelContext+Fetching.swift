import CoreDataEngine

import class CoreDataEngine.NSComparisonPredicate
import class CoreDataEngine.NSCompoundPredicate
import class CoreDataEngine.NSExpression
import class CoreDataEngine.NSPredicate
import class CoreDataEngine.NSSortDescriptor

extension ModelContext {
    /// A request of the engine, and what is left to evaluate of the descriptor.
    struct TranslatedRequest<T: PersistentModel> {
        let request: NSFetchRequest<NSManagedObject>
        let descriptor: FetchDescriptor<T>
        /// Whether the condition and the order are evaluated on the models: the store has no counterpart.
        let isEvaluatedHere: Bool
    }

    /// Returns the models that a descriptor describes.
    ///
    /// Unsaved changes of the context count unless the descriptor says otherwise. A model that the context has already
    /// is returned as the same object. A condition or an order that the store can't evaluate is evaluated in memory,
    /// for all models of the class.
    ///
    /// ```swift
    /// let long = FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 300 }, sortBy: [SortDescriptor(\.title)])
    /// let books = try context.fetch(long)
    /// ```
    ///
    /// - Parameter descriptor: The condition, the order, and how many models.
    /// - Returns: The models; an empty array if none match.
    /// - Throws: An error that names a part of the predicate which can't be evaluated, or what the store says.
    @inlinable
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        let found = try _find(descriptor)
        var models: [T] = []
        models.reserveCapacity(found.count)
        // Here and not in a function of this module, so that the program's module compiles it for its class.
        for index in 0..<found.count {
            if let storage = found.newStorage(at: index) {
                let model = T(backingData: ModelBackingData<T.Root>(storage))
                storage._show(model)
                models.append(model)
            } else if let model = found.model(at: index, as: T.self) {
                models.append(model)
            }
        }
        return models
    }

    /// Returns the objects that a descriptor describes, before models are made of them.
    ///
    /// - Parameter descriptor: The condition, the order, and how many models.
    /// - Returns: The objects, in order.
    /// - Throws: As `fetch(_:)` does.
    public func _find<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> _FoundObjects {
        let request = try request(for: descriptor)
        // Without subclasses, the class of all models is known.
        let isOnly = request.request.entity?.subentities.isEmpty ?? false
        return _FoundObjects(
            objects: try objects(request), context: self, descriptor: isOnly ? ModelDescriptor.of(T.self) : nil)
    }

    /// Returns the number of models that a descriptor describes.
    ///
    /// The store counts without making models, unless it can't evaluate the condition. A limit and an offset count.
    ///
    /// - Parameter descriptor: The condition, and how many models at most.
    /// - Returns: The number of models.
    /// - Throws: As `fetch(_:)` does.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        let request = try request(for: descriptor)
        if request.isEvaluatedHere { return try models(request).count }
        return try orEvaluatedHere(request, { try engine.count(for: $0) }, { try objects($0).count })
    }

    /// Returns the identifiers of the models that a descriptor describes.
    ///
    /// Identifiers can be passed to other actors, which get their own models with `model(for:)`. Those of models that
    /// aren't saved are temporary.
    ///
    /// - Parameter descriptor: The condition, the order, and how many models.
    /// - Returns: The identifiers.
    /// - Throws: As `fetch(_:)` does.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] {
        let request = try request(for: descriptor)
        return try objects(request).map { PersistentIdentifier($0.objectID) }
    }

    /// Calls a block with each model, which are read in batches.
    ///
    /// By default, the block has to save its changes before a batch ends. Otherwise the function throws a
    /// ``SwiftDataError`` at the end of the batch, and the changes stay in the context.
    ///
    /// - Parameters:
    ///   - fetch: Which models, and in which order.
    ///   - batchSize: How many models are read together.
    ///   - allowEscapingMutations: Whether the context may have unsaved changes at the end of a batch.
    ///   - block: What is done with each model.
    /// - Throws: What the fetch or the block throws.
    public func enumerate<T: PersistentModel>(
        _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (T) throws -> Void
    ) throws {
        let objects = try batchedObjects(fetch, batchSize)
        for (index, object) in objects.enumerated() {
            if let object = object as? BackedObject, let model = model(of: object) as? T { try block(model) }
            let isBatchOver = (index + 1).isMultiple(of: max(1, batchSize)) || index == objects.count - 1
            if isBatchOver, !allowEscapingMutations, hasChanges {
                throw SwiftDataError(
                    .escapingMutations,
                    "The context has changes that the block of enumerate(_:) did not save; allowEscapingMutations "
                        + "allows them.")
            }
        }
    }

    func models<T: PersistentModel>(_ request: TranslatedRequest<T>) throws -> [T] {
        try objects(request).compactMap { object in BackedObject.of(object).flatMap { model(of: $0, as: T.self) } }
    }

    /// The objects that a request finds, after what is left to evaluate.
    func objects<T: PersistentModel>(_ request: TranslatedRequest<T>) throws -> [NSManagedObject] {
        if request.isEvaluatedHere { return try evaluated(request) }
        return try orEvaluatedHere(request, { try engine.fetch($0) }, { try evaluated($0) })
    }

    /// What a store answers, or what is evaluated on the models if the store can't evaluate the condition.
    private func orEvaluatedHere<T: PersistentModel, Answer>(
        _ request: TranslatedRequest<T>, _ ask: (NSFetchRequest<NSManagedObject>) throws -> Answer,
        _ evaluate: (TranslatedRequest<T>) throws -> Answer
    ) throws -> Answer {
        do {
            return try ask(request.request)
        } catch let error as CocoaError where error.code == .coreData && request.request.predicate != nil {
            return try evaluate(try self.request(for: request.descriptor, isEvaluatedHere: true))
        }
    }

    private func evaluated<T: PersistentModel>(_ request: TranslatedRequest<T>) throws -> [NSManagedObject] {
        let descriptor = request.descriptor
        let found = try engine.fetch(request.request)
        var models = found.compactMap { ($0 as? BackedObject).flatMap { model(of: $0) as? T } }
        if let predicate = descriptor.predicate {
            do {
                models = try models.filter { try predicate.evaluate($0) }
            } catch {
                throw SwiftDataError(.unsupportedPredicate, "The predicate can't be evaluated: \(error)")
            }
        }
        if !descriptor.sortBy.isEmpty { models.sort(using: descriptor.sortBy) }
        let rest = models.dropFirst(descriptor.offset)
        return rest.prefix(descriptor.limit ?? rest.count).compactMap { $0._$modelStorage?.object }
    }

    // MARK: Translating

    func request<T: PersistentModel>(
        for descriptor: FetchDescriptor<T>, isEvaluatedHere: Bool = false
    ) throws -> TranslatedRequest<T> {
        let name = Schema.entityName(ofType: T.self)
        guard let entity = stack.model.entitiesByName[name] else {
            throw SwiftDataError(.unknownSchema, "The container's schema has no entity \(name).")
        }
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.shouldRefreshRefetchedObjects = true
        request.includesPendingChanges = descriptor.includePendingChanges
        let evaluatedHere = TranslatedRequest(request: request, descriptor: descriptor, isEvaluatedHere: true)
        if isEvaluatedHere { return evaluatedHere }
        let translation = PredicateTranslation(entity: name, context: self)
        do {
            request.predicate = try descriptor.predicate.map { try translation.predicate($0) }
            request.sortDescriptors = try descriptor.sortBy.map { try translation.order($0) }
        } catch {
            request.predicate = nil
            request.sortDescriptors = nil
            return evaluatedHere
        }
        request.fetchLimit = descriptor.limit ?? 0
        request.fetchOffset = descriptor.offset
        let paths = descriptor.relationshipKeyPathsForPrefetching.compactMap { KeyPathNames.name(of: $0) }
        if !paths.isEmpty { request.relationshipKeyPathsForPrefetching = paths }
        return TranslatedRequest(request: request, descriptor: descriptor, isEvaluatedHere: false)
    }
}

/// What a fetch found.
public struct _FoundObjects {
    let objects: [NSManagedObject]
    let context: ModelContext
    /// The description of the class of all models; `nil` where they may be of several.
    let descriptor: ModelDescriptor?

    /// How many were found.
    public var count: Int { objects.count }

    /// The storage of a model that is to be made.
    ///
    /// - Parameter index: The position of the object.
    /// - Returns: A new storage, or `nil` where the object has a model or its class isn't known.
    public func newStorage(at index: Int) -> ModelStorage? {
        guard let descriptor, let object = BackedObject.of(objects[index]), object.model.isEmpty else { return nil }
        return ModelStorage(descriptor, object, in: context)
    }

    /// The model of an object: the one that is there, or a new one.
    ///
    /// - Parameters:
    ///   - index: The position of the object.
    ///   - type: The class.
    /// - Returns: The model, or `nil` if it is of another class.
    public func model<Model: PersistentModel>(at index: Int, as type: Model.Type) -> Model? {
        BackedObject.of(objects[index]).flatMap { context.model(of: $0, as: type) }
    }
}
