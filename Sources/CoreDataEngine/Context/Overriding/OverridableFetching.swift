import Foundation

/// The entry points of a context that a subclass may override, where generic ones of the same name stand beside them.
protocol OverridableFetching {
    func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any]
    func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int
}

extension NSManagedObjectContext: OverridableFetching {}

/// Typed fetches of contexts whose class overrides the untyped ones.
extension NSManagedObjectContext {
    /// Whether `super.fetch(request)` is what was called: Swift takes the generic method for it.
    final func isSuperCall(_ result: Any.Type) -> Bool {
        activity.isInOverriddenFetch && result == (any NSFetchRequestResult).self
    }

    /// Has the subclass fetch.
    @inline(never)
    final func fetchOverridden<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        let was = activity.isInOverriddenFetch
        activity.isInOverriddenFetch = true
        defer { activity.isInOverriddenFetch = was }
        let found = try withUntyped(request) { try (self as any OverridableFetching).fetch($0) }
        return try cast(found, request)
    }

    /// Has the subclass count.
    @inline(never)
    final func countOverridden<T>(_ request: NSFetchRequest<T>) throws -> Int {
        try withUntyped(request) { try (self as any OverridableFetching).count(for: $0) }
    }

    /// Calls a closure with the request, or with one that has its settings and no type of result.
    private func withUntyped<T, Result>(
        _ request: NSFetchRequest<T>, _ body: (NSFetchRequest<any NSFetchRequestResult>) throws -> Result
    ) rethrows -> Result {
        if let same = (request as NSFetchRequestBase) as? NSFetchRequest<any NSFetchRequestResult> {
            return try body(same)
        }
        // What a fetch finds out of a request without an entity, its name's entity, the caller's request has too then.
        let untyped = NSFetchRequest<any NSFetchRequestResult>()
        request.copySettings(to: untyped)
        defer { if request.entity == nil, let entity = untyped.entity { request.entity = entity } }
        if let type = T.self as? NSManagedObject.Type { ManagedObjectClass.noticed(type) }
        return try body(untyped)
    }
}
