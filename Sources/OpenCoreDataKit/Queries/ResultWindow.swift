/// Limit and offset of a fetch in a context with unsaved changes.
///
/// A store applies limit and offset to what it has saved. Unsaved changes add and remove objects, so the request to the
/// store is larger by the number of changes, and limit and offset are applied to the merged result.
struct ResultWindow {
    private let offset: Int
    private let limit: Int

    /// Widens a request; `nil` when the store's window is the right one.
    init?<Result>(widening request: NSFetchRequest<Result>, in context: NSManagedObjectContext) {
        guard request.fetchLimit > 0 || request.fetchOffset > 0, request.includesPendingChanges else { return nil }
        let changes = context.unsavedCount
        guard changes > 0 else { return nil }
        offset = request.fetchOffset
        limit = request.fetchLimit
        request.fetchOffset = 0
        if limit > 0 {
            let (sum, overflows) = limit.addingReportingOverflow(offset + changes)
            request.fetchLimit = overflows ? 0 : sum
        }
    }

    func applied<Element>(to elements: [Element]) -> [Element] {
        let rest = elements.dropFirst(offset)
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
}

extension NSManagedObjectContext {
    /// The objects with unsaved changes here and in the contexts above.
    fileprivate var unsavedCount: Int {
        var count = 0
        if hasChanges { count = insertedObjects.count + updatedObjects.count + deletedObjects.count }
        guard let parent else { return count }
        return count + parent.performAndWait { parent.unsavedCount }
    }
}
