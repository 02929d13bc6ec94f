import Foundation

/// A step from one version of a model to the next, with code that runs before and after.
///
/// The step itself is one that can be inferred: what can't be is prepared by the first handler, on the store as it is, and
/// finished by the second, on the store as it will be.
open class NSCustomMigrationStage: NSMigrationStage {
    /// Creates a stage.
    ///
    /// Set ``willMigrateHandler`` and ``didMigrateHandler`` afterwards. The models are looked for when a store is
    /// migrated.
    ///
    /// - Parameters:
    ///   - currentModel: The version that a store has before.
    ///   - nextModel: The version that it has after.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        model = currentModel
        next = nextModel
        super.init()
    }

    /// The version that a store has before.
    open var currentModel: NSManagedObjectModelReference { model }
    private let model: NSManagedObjectModelReference

    /// The version that a store has after.
    open var nextModel: NSManagedObjectModelReference { next }
    private let next: NSManagedObjectModelReference

    /// Called before the step, while the manager's container has the store with ``currentModel``.
    ///
    /// Called again when the program ended before the step was done, so it should be content with finding its work done.
    /// An error ends the migration. Runs on the thread that adds the store.
    open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// Called after the step, while the manager's container has the store with ``nextModel``.
    ///
    /// Called again, when the store is next added with a manager that has this stage, if the program ended or the handler
    /// threw before it was done. An error ends the migration; the store then stays at ``nextModel``. Runs on the thread
    /// that adds the store.
    open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
}
