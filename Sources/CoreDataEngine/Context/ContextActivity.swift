/// What a context is doing, so that calls from within it know.
struct ContextActivity {
    var isSaving = false
    var isProcessing = false
    /// Whether pending changes are going to be processed at the end of the main queue's turn.
    var isPassScheduled = false
    /// Whether a subclass's own `fetch(_:)` runs.
    var isInOverriddenFetch = false
    /// The numbers of the transactions that the running save wrote, by the UUIDs of stores that record their history.
    var savedTransactions: [String: Int64] = [:]
    /// What the running save has put in the place of new objects, whose identifiers are noted.
    var replacements: [(id: NSManagedObjectID, object: NSManagedObject)] = []
}
