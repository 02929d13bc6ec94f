/// Changes that were saved together.
public protocol HistoryTransaction {
    /// The type of positions in the history.
    associatedtype TokenType: HistoryToken
    /// The type of what identifies a transaction.
    associatedtype TransactionIdentifier: Hashable

    /// When the changes were saved.
    var timestamp: Date { get }
    /// The changes.
    var changes: [HistoryChange] { get }
    /// The position in the history right after the transaction.
    var token: TokenType { get }
    /// What identifies the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// What identifies the store.
    var storeIdentifier: String { get }
    /// The author of the context that saved.
    var author: String? { get }
}

/// Changes that were saved together in one of this module's stores.
public struct DefaultHistoryTransaction: HistoryTransaction, Sendable {
    /// When the changes were saved.
    public var timestamp: Date
    /// The changes in the order in which they were made.
    public var changes: [HistoryChange]
    /// The position in the history right after the transaction.
    public var token: DefaultHistoryToken
    /// The number of the transaction in its store.
    public var transactionIdentifier: Int64
    /// What identifies the store.
    public var storeIdentifier: String
    /// The author of the context that saved.
    public var author: String?
    /// The identifier of the program's bundle; empty for a program without one.
    public var bundleIdentifier: String
    /// The name of the process.
    public var processIdentifier: String
}

/// Which transactions of the history are to be found, and in which order.
public struct HistoryDescriptor<T: HistoryTransaction> {
    /// The condition, or `nil` for all transactions.
    public var predicate: Predicate<T>?
    /// The order; that of the history if it is empty.
    public var sortBy: [SortDescriptor<T>]
    /// How many transactions are found at most, or 0 for all.
    public var fetchLimit: UInt64 = 0

    /// Describes transactions.
    ///
    /// Set ``fetchLimit`` afterwards to read the history in parts. A condition that compares the token with a lower
    /// bound lets the store skip older transactions.
    ///
    /// - Parameters:
    ///   - predicate: The condition, or `nil` for all transactions.
    ///   - sortBy: The order; that of the history if it is empty.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
