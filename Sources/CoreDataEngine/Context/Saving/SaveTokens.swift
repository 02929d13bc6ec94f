import Foundation

/// Where a save stands in the history of the stores, and in what its context reads, for the notifications of the save.
struct SaveTokens {
    /// An `NSPersistentHistoryToken`.
    var historyToken: NSObject?
    var generation: NSQueryGenerationToken?
}

extension NSManagedObjectContext {
    /// The tokens of the save that has just ended.
    final func takeSaveTokens() -> SaveTokens {
        defer { savedTransactions = [:] }
        return SaveTokens(
            historyToken: savedTransactions.isEmpty
                ? nil : NSPersistentStoreCoordinator.historyToken(of: savedTransactions),
            generation: advanceGenerationAfterSave())
    }
}
