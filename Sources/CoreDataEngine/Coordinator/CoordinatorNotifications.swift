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
    /// Posted before a store is removed; the object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
}
