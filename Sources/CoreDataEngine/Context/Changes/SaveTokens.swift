import Foundation

/// Where a save stands in the history of the stores, and in what its context reads, for the notifications of the save.
struct SaveTokens {
    /// An `NSPersistentHistoryToken`.
    var historyToken: NSObject?
    var generation: NSQueryGenerationToken?
    /// New objects that a merge policy gave up for others with their unique keys: those, by what the new ones were.
    var replaced: [NSManagedObjectID: NSManagedObjectID] = [:]
}

extension NSManagedObjectContext {
    /// The tokens of the save that has just ended.
    final func takeSaveTokens() -> SaveTokens {
        defer {
            activity.savedTransactions = [:]
            activity.replacements = []
        }
        var tokens = SaveTokens(
            historyToken: activity.savedTransactions.isEmpty
                ? nil : NSPersistentStoreCoordinator.historyToken(of: activity.savedTransactions),
            generation: advanceGenerationAfterSave())
        for (id, object) in activity.replacements where id != object.objectID { tokens.replaced[id] = object.objectID }
        return tokens
    }
}
