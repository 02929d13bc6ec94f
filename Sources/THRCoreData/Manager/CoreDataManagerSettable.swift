public import OpenCoreDataKit

/// A screen, or anything else, that is handed the manager.
///
/// ```swift
/// if let next = destination as? any CoreDataManagerSettable { next.coreDataManager = coreDataManager }
/// ```
@MainActor public protocol CoreDataManagerSettable: AnyObject {
    /// The manager, which is set before it is used.
    var coreDataManager: CoreDataManager! { get set }
}

extension CoreDataManagerSettable {
    /// The manager's main context.
    public var managedObjectContext: NSManagedObjectContext { coreDataManager.mainContext }
}

/// The same as ``CoreDataManagerSettable`` in the words of the library's later versions.
@MainActor public protocol PersistentContainerSettable: AnyObject {
    /// The manager, which is set before it is used.
    var persistentContainer: PersistentContainer! { get set }
}

extension PersistentContainerSettable {
    /// The manager's main context.
    public var mainContext: NSManagedObjectContext { persistentContainer.mainContext }
    /// The manager's background context.
    public var backgroundContext: NSManagedObjectContext { persistentContainer.backgroundContext }
}
