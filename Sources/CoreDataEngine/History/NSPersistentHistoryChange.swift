public import Foundation
import Synchronization

/// What a transaction of the history did to one object.
///
/// Immutable, so safe to share between threads.
// @unchecked Sendable because all properties are constants but the reference to the transaction, which is behind its
// lock.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
    private struct Owner {
        weak var transaction: NSPersistentHistoryTransaction?
    }

    private let record: HistoryChangeRecord?
    private let owner = Mutex(Owner())

    /// Creates a change without contents; those with contents come from the history.
    ///
    /// Reading its ``changedObjectID`` stops the program with a message.
    public override convenience init() {
        self.init(nil, in: nil)
    }

    package init(_ record: HistoryChangeRecord?, in transaction: NSPersistentHistoryTransaction?) {
        self.record = record
        super.init()
        owner.withLock { $0.transaction = transaction }
    }

    // MARK: What was recorded

    /// The number of the change in its store, which grows with each.
    open var changeID: Int64 { record?.number ?? 0 }

    /// The object that changed, as an identifier of the coordinator that was asked.
    open var changedObjectID: NSManagedObjectID {
        guard let record else {
            programmerError("A persistent history change that did not come from a history has no changed object.")
        }
        return record.objectID
    }

    /// What happened to the object.
    open var changeType: NSPersistentHistoryChangeType { record?.type ?? .insert }

    /// Values that outlived a deleted object, by the names of its attributes.
    ///
    /// Attributes with `preservesValueInHistoryOnDeletion` that were not nil; `nil` for inserts and updates.
    open var tombstone: [AnyHashable: Any]? { record?.tombstone?.value }

    /// The transaction that the change is part of.
    open var transaction: NSPersistentHistoryTransaction? {
        if let transaction = owner.withLock({ $0.transaction }) { return transaction }
        return record.map { NSPersistentHistoryTransaction($0.transaction) }
    }

    /// The properties that an update changed; `nil` for inserts and deletions.
    open var updatedProperties: Set<NSPropertyDescription>? {
        guard let record, let names = record.updatedProperties else { return nil }
        let properties = record.objectID.entity.propertiesByName
        return Set(names.compactMap { properties[$0] })
    }

    // MARK: Fetch requests

    /// The entity that a fetch request of changes is for.
    ///
    /// Predicates may use `changeID`, `changeType`, `changedEntity`, `changedObjectID` and `transaction`.
    open class var entityDescription: NSEntityDescription? { HistoryModel.shared.change }

    /// A new fetch request of changes, for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryModel.request(for: HistoryModel.shared.change)
    }

    /// The entity that a fetch request of changes is for.
    ///
    /// It is the same entity as ``entityDescription``, whatever the context is.
    ///
    /// - Parameter context: A context of the coordinator whose stores are asked.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    // MARK: NSObject

    /// A change is its own copy.
    ///
    /// Changes are immutable, so both can be used on any thread.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryChange else { return false }
        guard let record, let theirs = other.record else { return self === other }
        return record.number == theirs.number && record.transaction.store == theirs.transaction.store
    }

    open override var hash: Int { changeID.hashValue }

    open override var description: String {
        let object = record.map { "\($0.objectID)" } ?? "(none)"
        return "<NSPersistentHistoryChange \(changeID) \(changeType) \(object)>"
    }
}
