import Foundation

/// Where a save stands in the history of the stores, and in what its context reads, for the notifications of the save.
struct SaveTokens {
    /// An `NSPersistentHistoryToken`.
    var historyToken: NSObject?
    var generation: NSQueryGenerationToken?

    /// Puts what is known into the user info of a notification.
    func adding(_ info: [AnyHashable: Any]) -> [AnyHashable: Any] {
        var info = info
        if let historyToken { info[NSPersistentHistoryTokenKey] = historyToken }
        if let generation { info[NSManagedObjectContextQueryGenerationKey] = generation }
        return info
    }
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
