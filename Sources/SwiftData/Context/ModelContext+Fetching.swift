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
        /// The condition and the order, where the engine has no counterpart.
        var remaining: FetchDescriptor<T>?
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
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        try models(request(for: descriptor))
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
        if request.remaining != nil { return try models(request).count }
        return try engine.count(for: request.request)
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
        // Without subclasses, the class of all models is known.
        let isOnly = request.request.entity?.subentities.isEmpty ?? false
        let descriptor = ModelDescriptor.of(T.self)
        return try objects(request).compactMap { object in
            guard let object = BackedObject.of(object) else { return nil }
            return isOnly && object.model.isEmpty ? make(T.self, object, descriptor) : model(of: object, as: T.self)
        }
    }

    /// The objects that a request finds, after what is left to evaluate.
    func objects<T: PersistentModel>(_ request: TranslatedRequest<T>) throws -> [NSManagedObject] {
        let found = try engine.fetch(request.request)
        guard let remaining = request.remaining else { return found }
        var models = found.compactMap { ($0 as? BackedObject).flatMap { model(of: $0) as? T } }
        if let predicate = remaining.predicate {
            do {
                models = try models.filter { try predicate.evaluate($0) }
            } catch {
                throw SwiftDataError(.unsupportedPredicate, "The predicate can't be evaluated: \(error)")
            }
        }
        if !remaining.sortBy.isEmpty { models.sort(using: remaining.sortBy) }
        let rest = models.dropFirst(remaining.fetchOffset ?? 0)
        return (remaining.fetchLimit.map { rest.prefix($0) } ?? rest).compactMap { $0._$modelStorage?.object }
    }

    // MARK: Translating

    func request<T: PersistentModel>(for descriptor: FetchDescriptor<T>) throws -> TranslatedRequest<T> {
        let name = Schema.entityName(ofType: T.self)
        guard let entity = container.model.entitiesByName[name] else {
            throw SwiftDataError(.unknownSchema, "The container's schema has no entity \(name).")
        }
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.shouldRefreshRefetchedObjects = true
        request.includesPendingChanges = descriptor.includePendingChanges
        let translation = PredicateTranslation(entity: entity, context: self)
        do {
            request.predicate = try descriptor.predicate.map { try translation.predicate($0) }
            request.sortDescriptors = try descriptor.sortBy.map { try translation.order($0) }
        } catch {
            request.predicate = nil
            request.sortDescriptors = nil
            return TranslatedRequest(request: request, remaining: descriptor)
        }
        request.fetchLimit = descriptor.fetchLimit ?? 0
        request.fetchOffset = descriptor.fetchOffset ?? 0
        let paths = descriptor.relationshipKeyPathsForPrefetching.compactMap { KeyPathNames.name(of: $0) }
        if !paths.isEmpty { request.relationshipKeyPathsForPrefetching = paths }
        return TranslatedRequest(request: request, remaining: nil)
    }
}
