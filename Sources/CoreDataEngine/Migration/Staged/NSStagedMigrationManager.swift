public import Foundation

/// Takes stores through several versions of a model, stage by stage.
///
/// It is the value of the store option `NSPersistentStoreStagedMigrationManagerOptionKey`; the options
/// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption` have to be set too. When
/// the store is added, it is migrated from its present version: to the current model of each custom stage by inference,
/// through the stage with its handlers, and at the end to the coordinator's model. Each step replaces the store's files
/// at once, so a migration that was interrupted continues from there when the store is added the next time.
///
/// Don't use it for several stores at the same time.
open class NSStagedMigrationManager: NSObject {
    /// Creates a manager.
    ///
    /// ```swift
    /// let manager = NSStagedMigrationManager([stage])
    /// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
    /// ```
    ///
    /// - Parameter stages: The stages, the oldest first.
    public init(_ stages: [NSMigrationStage]) {
        allStages = stages
        super.init()
    }

    /// The stages, the oldest first.
    open var stages: [NSMigrationStage] { allStages }
    private let allStages: [NSMigrationStage]

    /// A container that has the store that is migrated; nil unless a handler of a stage runs.
    ///
    /// Its model is the stage's current model before the step and its next model after it. The store is taken out of it
    /// when the handler returns.
    open internal(set) var container: NSPersistentContainer?
}
