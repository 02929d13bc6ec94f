package import Foundation

/// A transaction as a store gives it.
package struct HistoryTransactionRecord: Sendable {
    /// The UUID of the store.
    package var store: String
    package var number: Int64
    package var timestamp: Date
    package var author: String?
    package var bundleID: String?
    package var contextName: String?
    package var processID: String?

    package init(
        store: String, number: Int64, timestamp: Date, author: String? = nil, bundleID: String? = nil,
        contextName: String? = nil, processID: String? = nil
    ) {
        self.store = store
        self.number = number
        self.timestamp = timestamp
        self.author = author
        self.bundleID = bundleID
        self.contextName = contextName
        self.processID = processID
    }
}

/// A change as a store gives it.
package struct HistoryChangeRecord {
    package var transaction: HistoryTransactionRecord
    package var number: Int64
    package var type: NSPersistentHistoryChangeType
    package var objectID: NSManagedObjectID
    /// The names of the properties that an update changed.
    package var updatedProperties: [String]?
    /// Values by attribute name, for a deletion.
    package var tombstone: SendableBox<[AnyHashable: Any]>?

    package init(
        transaction: HistoryTransactionRecord, number: Int64, type: NSPersistentHistoryChangeType,
        objectID: NSManagedObjectID, updatedProperties: [String]? = nil,
        tombstone: SendableBox<[AnyHashable: Any]>? = nil
    ) {
        self.transaction = transaction
        self.number = number
        self.type = type
        self.objectID = objectID
        self.updatedProperties = updatedProperties
        self.tombstone = tombstone
    }
}
