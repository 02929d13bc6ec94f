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
    public func first() -> RequestBuilder<Entity, TargetStep, Output?> {
        next { $0.limit = 1 }
    }

    /// Asks for the first objects.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - offset: How many to leave out before them.
    public func first(nth limit: Int, after offset: Int = 0) -> RequestBuilder<Entity, TargetStep, [Output]> {
        next {
            $0.limit = limit
            $0.offset = offset
        }
    }

    /// Asks for all objects.
    ///
    /// - Parameter offset: How many to leave out at the beginning.
    public func all(after offset: Int = 0) -> RequestBuilder<Entity, TargetStep, [Output]> {
        next { $0.offset = offset }
    }
}

// MARK: Settings

extension RequestBuilder where Step: FetchableStep {
    /// Sets a property of the fetch request.
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
