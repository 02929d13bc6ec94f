import Foundation

extension NSPersistentStoreCoordinator {
    /// Finishes what was left over of lightweight migrations by `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
    ///
    /// There is nothing left over: a migration is done as a whole when the store is added, with or without that option.
    ///
    /// - Throws: Nothing at present.
    public func finishDeferredLightweightMigration() throws {}

    /// Does one part of what was left over of lightweight migrations.
    ///
    /// There is nothing left over: a migration is done as a whole when the store is added.
    ///
    /// - Throws: Nothing at present.
    public func finishDeferredLightweightMigrationTask() throws {}
}
