import Synchronization

private let currentMigrator = Mutex<(any StoreMigrator)?>(AutomaticMigrator())

extension NSPersistentStoreCoordinator {
    /// What migrates stores that don't fit the model; `nil` for nothing.
    package static var migrator: (any StoreMigrator)? {
        get { currentMigrator.withLock { $0 } }
        set { currentMigrator.withLock { $0 = newValue } }
    }
}
