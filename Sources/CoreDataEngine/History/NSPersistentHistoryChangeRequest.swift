public import Foundation

/// Fetches the history of the stores, or deletes parts that aren't needed any longer.
///
/// Execute it with `NSManagedObjectContext.execute(_:)`; the result is an ``NSPersistentHistoryResult``.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// What the request does.
    enum Action {
        case fetch
        case delete
    }

    /// A border in the history.
    enum Border {
        /// The beginning: everything comes after it, and nothing before.
        case beginning
        case date(Date)
        case token(NSPersistentHistoryToken)
        case transaction(NSPersistentHistoryTransaction)
    }

    private(set) final var action = Action.fetch
    private(set) final var border = Border.beginning

    /// Creates a request that fetches all of the history.
    ///
    /// The type methods, such as `fetchHistory(after:)` and `deleteHistory(before:)`, return requests for a part of the
    /// history.
    public required override init() {
        super.init()
    }

    private convenience init(_ action: Action, _ border: Border) {
        self.init()
        set(action, border)
    }

    private func set(_ action: Action, _ border: Border) {
        self.action = action
        self.border = border
        if action == .delete { resultType = .statusOnly }
    }

    private class func make(_ action: Action, _ border: Border) -> Self {
        let request = self.init()
        request.set(action, border)
        return request
    }

    // MARK: Fetching

    /// Returns a request for the transactions that were written after a date.
    ///
    /// Transactions of several stores come in the order of their times. A token is better than a date for reading the
    /// history without gaps, because clocks may be set back.
    ///
    /// - Parameter date: The date.
    open class func fetchHistory(after date: Date) -> Self { make(.fetch, .date(date)) }

    /// Returns a request for the transactions after a token's.
    ///
    /// Executing it throws `NSPersistentHistoryTokenExpiredError` if the token isn't about the coordinator's stores, or
    /// if transactions after it have been deleted.
    ///
    /// - Parameter token: The token. With `nil`, or the token of a new store, the request is for all transactions.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        make(.fetch, token.map { .token($0) } ?? .beginning)
    }

    /// Returns a request for the transactions after another one.
    ///
    /// For stores other than the transaction's, the request is for all transactions. Executing it throws
    /// `NSPersistentHistoryTokenExpiredError` if transactions after it have been deleted.
    ///
    /// - Parameter transaction: The transaction; `nil` for all transactions.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.fetch, transaction.map { .transaction($0) } ?? .beginning)
    }

    /// A request for the transactions, or the changes, that a fetch request matches.
    ///
    /// Its predicate, order and limit decide. A request for any other entity makes executing throw `NSCoreDataError`.
    /// The ``resultType`` says what is returned, whatever entity the request is for.
    ///
    /// - Parameter fetchRequest: A request for the entity of ``NSPersistentHistoryTransaction`` or
    ///   ``NSPersistentHistoryChange``.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = make(.fetch, .beginning)
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Deleting

    /// Returns a request that deletes the transactions that were written before a date.
    ///
    /// The result is `true`, or the number of transactions if ``resultType`` is set to `.count`.
    ///
    /// - Parameter date: The date.
    open class func deleteHistory(before date: Date) -> Self { make(.delete, .date(date)) }

    /// Returns a request that deletes the transactions before a token's, which stays.
    ///
    /// Stores that the token doesn't name keep their history. Delete only what every reader of the history has read:
    /// the tokens before it expire.
    ///
    /// - Parameter token: The token; `nil` deletes nothing.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        make(.delete, token.map { .token($0) } ?? .beginning)
    }

    /// Returns a request that deletes the transactions before another one, which stays.
    ///
    /// Other stores keep their history. Delete only what every reader of the history has read: the tokens before it
    /// expire.
    ///
    /// - Parameter transaction: The transaction; `nil` deletes nothing.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.delete, transaction.map { .transaction($0) } ?? .beginning)
    }

    // MARK: Settings

    /// What the request gives: transactions with their changes, unless it deletes or says otherwise.
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges

    /// The token that the request was made with.
    open var token: NSPersistentHistoryToken? {
        switch border {
        case .token(let token): token
        case .transaction(let transaction): transaction.token
        case .date, .beginning: nil
        }
    }

    /// A further condition, order and limit on transactions or changes.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        guard let coordinator = context.persistentStoreCoordinator else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(context.name.map { " \"\($0)\"" } ?? "") has no persistent store coordinator, so it "
                    + "can't execute history requests.")
        }
        return try coordinator.execute(self)
    }

    /// Returns a request with the same settings.
    ///
    /// The fetch request is copied as well; the affected stores are shared.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.affectedStores = affectedStores
        copy.set(action, border)
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
        return copy
    }
}
