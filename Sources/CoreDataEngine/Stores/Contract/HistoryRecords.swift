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
}
