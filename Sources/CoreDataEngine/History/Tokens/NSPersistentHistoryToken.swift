public import Foundation

/// A position in the history of one or several stores: everything up to a transaction of each.
///
/// A token can be archived and used again in another process. Two tokens are equal when they name the same position in the
/// same stores. Immutable, so safe to share between threads.
// @unchecked Sendable because the only property is a constant.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The number of the last transaction by the store's UUID; 0 for a store without transactions.
    package final let transactionByStore: [String: Int64]

    private static let codingKey = "NSPersistentHistoryTokenStores"

    /// Creates a token of no store, which a request takes for the beginning of the history.
    ///
    /// Use ``NSPersistentStoreCoordinator/currentPersistentHistoryToken(fromStores:)`` for the end of the history.
    public override convenience init() {
        self.init([:])
    }

    package init(_ transactionByStore: [String: Int64]) {
        self.transactionByStore = transactionByStore
        super.init()
    }

    /// Tokens can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a token from an archive; `nil` when the archive holds none.
    ///
    /// A token can be read in another process, too. Whether its stores still have the transactions after it shows when
    /// a request uses it.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        guard
            let stores = coder.decodeObject(
                of: [NSDictionary.self, NSString.self, NSNumber.self], forKey: Self.codingKey) as? [String: Any]
        else { return nil }
        var transactions: [String: Int64] = [:]
        for (store, number) in stores {
            guard let number = number as? NSNumber else { return nil }
            transactions[store] = number.int64Value
        }
        self.init(transactions)
    }

    /// Writes the token to an archive.
    ///
    /// Archive the token of the last transaction that was handled, to go on from there when the program is started
    /// again.
    ///
    /// ```swift
    /// let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    /// ```
    ///
    /// - Parameter coder: The archive.
    open func encode(with coder: NSCoder) {
        let stores = NSMutableDictionary()
        for (store, number) in transactionByStore {
            stores.setObject(NSNumber(value: number), forKey: NSString(string: store))
        }
        coder.encode(stores, forKey: Self.codingKey)
    }

    /// A token is its own copy.
    ///
    /// Tokens are immutable, so both can be used on any thread.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.transactionByStore == transactionByStore
    }

    open override var hash: Int { transactionByStore.hashValue }

    open override var description: String {
        let stores = transactionByStore.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "<NSPersistentHistoryToken \(stores.joined(separator: ", "))>"
    }
}
