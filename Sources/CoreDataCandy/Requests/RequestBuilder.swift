public import OpenCoreDataKit

/// A request for managed objects or models, built step by step.
///
/// ```swift
/// try Player.request()
///     .all(after: 10)
///     .where(\.age, .isIn(18...70))
///     .sorted(by: \.age).then(by: \.name)
///     .fetch(in: context)
/// ```
///
/// Builders are values: continuing one twice gives two requests.
public struct RequestBuilder<Entity: FetchableEntity, Step: RequestStep, Output> {
    /// What was said so far.
    let parts: RequestParts<Entity>

    init(_ parts: RequestParts<Entity> = RequestParts()) { self.parts = parts }

    /// The next step, with changed parts.
    func next<NextStep, NextOutput>(
        _ change: (inout RequestParts<Entity>) -> Void
    ) -> RequestBuilder<Entity, NextStep, NextOutput> {
        var changed = parts
        change(&changed)
        return RequestBuilder<Entity, NextStep, NextOutput>(changed)
    }

    /// A new fetch request with all that was said.
    public var request: NSFetchRequest<Entity> {
        let request = Entity.everything
        request.fetchLimit = parts.limit
        request.fetchOffset = parts.offset
        request.predicate = parts.predicate
        request.sortDescriptors = parts.sorts.isEmpty ? nil : parts.sorts
        for setting in parts.settings { setting(request) }
        return request
    }
}

// MARK: Target

extension RequestBuilder where Step == CreationStep, Output: Fetchable {
    /// Asks for the first object, or none.
    ///
    /// Without an order, any object that fulfils the predicate may be the first.
    ///
    /// - Returns: The request, which fetches an optional.
    public func first() -> RequestBuilder<Entity, TargetStep, Output?> {
        next { $0.limit = 1 }
    }

    /// Asks for the first objects.
    ///
    /// A limit of 0 means all objects.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - offset: How many to leave out before them.
    /// - Returns: The request, which fetches an array.
    public func first(nth limit: Int, after offset: Int = 0) -> RequestBuilder<Entity, TargetStep, [Output]> {
        next {
            $0.limit = limit
            $0.offset = offset
        }
    }

    /// Asks for all objects.
    ///
    /// Without an order it isn't determined which objects are left out.
    ///
    /// - Parameter offset: How many to leave out at the beginning.
    /// - Returns: The request, which fetches an array.
    public func all(after offset: Int = 0) -> RequestBuilder<Entity, TargetStep, [Output]> {
        next { $0.offset = offset }
    }
}

// MARK: Settings

extension RequestBuilder where Step: FetchableStep {
    /// Sets a property of the fetch request.
    ///
    /// For what the builder has no word for, such as prefetching. Settings are applied last, so they win over the
    /// builder's own predicate, limit and sorts.
    ///
    /// ```swift
    /// let request = Player.request().all().setting(\.returnsObjectsAsFaults, to: false)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - value: The value.
    /// - Returns: The request with the setting.
    public func setting<Value>(
        _ keyPath: ReferenceWritableKeyPath<NSFetchRequest<Entity>, Value>, to value: Value
    ) -> Self {
        next { $0.settings.append { $0[keyPath: keyPath] = value } }
    }
}

// MARK: Running

extension RequestBuilder where Step: FetchableStep, Output: FetchResult {
    /// Fetches.
    ///
    /// Waits for the queue. Unsaved changes of the context count. The results belong to the context.
    ///
    /// - Parameter context: The context, on whose queue the fetch is done.
    /// - Returns: What the target says: one or none, or an array.
    /// - Throws: The error of the fetch.
    public func fetch(in context: NSManagedObjectContext) throws -> Output {
        try context.performAndWait {
            let request = request
            if request.entity == nil { request.entity = try context.entity(for: Entity.self) }
            return Output(fetched: try context.fetch(request).map(Output.Fetched._fetched))
        }
    }

    /// Fetches in the default context, ``Fetchable/context``.
    ///
    /// Meant for programs with one context for everything, which they declare in an extension of ``Fetchable``.
    ///
    /// - Returns: What the target says: one or none, or an array.
    /// - Throws: The error of the fetch, or one that explains that there is no default context.
    public func fetch() throws -> Output {
        guard let context = Output.Fetched.context else { throw MissingContext(for: Output.Fetched.self) }
        return try fetch(in: context)
    }
}

/// What was said of a request.
struct RequestParts<Entity: FetchableEntity> {
    var limit = 0
    var offset = 0
    var predicate: NSPredicate?
    var sorts: [NSSortDescriptor] = []
    var settings: [(NSFetchRequest<Entity>) -> Void] = []
}
