/// A subclass of `NSMigrationManager` that coordinators can make when they migrate a store whose class names it with
/// `migrationManagerClass()`.
///
/// Where Apple's runtime makes an object of any class, Swift needs the initializer to be `required`:
///
///     final class ArchiveMigrationManager: NSMigrationManager, StoreMigrationManager {
///         required override init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
///             super.init(sourceModel: sourceModel, destinationModel: destinationModel)
///         }
///     }
public protocol StoreMigrationManager: NSMigrationManager {
    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the store as it is.
    ///   - destinationModel: The model that it shall have.
    init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel)
}
