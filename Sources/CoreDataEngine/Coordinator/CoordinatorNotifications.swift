public import Foundation

extension NSNotification.Name {
    /// Posted by a coordinator after stores were added or removed, or got another UUID.
    ///
    /// The user info has the stores under `NSAddedPersistentStoresKey` or `NSRemovedPersistentStoresKey`; after a
    /// migration `NSUUIDChangedPersistentStoresKey` has the old store, the new one, and pairs of identifiers.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Posted by a coordinator before stores change behind its back. Nothing here does that.
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// Posted by a coordinator after a transaction was written to one of its stores, by whomever: itself, another
    /// coordinator, another process.
    ///
    /// Needs the options `NSPersistentHistoryTrackingKey` and `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    /// The user info has the store's UUID (`NSStoreUUIDKey`), its URL (`NSPersistentStoreURLKey`) and the transaction's
    /// token (`NSPersistentHistoryTokenKey`). It is posted on a background queue, once for each transaction; when there
    /// are many at once, for the last of them.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name("NSPersistentStoreRemoteChangeNotification")
    /// Posted before a store is removed; the object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}
