public import Foundation

/// Executes one entity mapping.
///
/// Set the name of a subclass as ``NSEntityMapping/entityMigrationPolicyClassName``, by which it is found. Each method
/// is called on the queue of the call that migrates; an error ends the migration.
open class NSEntityMigrationPolicy: NSObject {
    /// Creates a policy. One is made for each mapping.
    ///
    /// It is used for one migration of one store, so it may keep what the mapping needs in properties.
    public override required init() {}

    /// Called before anything is done for the mapping. Does nothing unless overridden.
    ///
    /// Use it to prepare what ``createDestinationInstances(forSource:in:manager:)`` needs. The objects of earlier
    /// mappings exist, without their relationships.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Creates the destination objects of a source object, sets their attributes and associates them with it.
    ///
    /// A mapping without a destination entity creates nothing. An override can create any number of objects in the
    /// manager's destination context; each has to be associated with the source object by
    /// `associate(sourceInstance:withDestinationInstance:for:)` to be found later. Objects are saved, and their values
    /// released, in batches.
    ///
    /// - Parameters:
    ///   - sInstance: The source object.
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard mapping.destinationEntityName?.isEmpty == false else { return }
        let work = PropertyMigration(policy: self, mapping: mapping, manager: manager)
        let destination = try work.newDestination()
        manager.associate(sourceInstance: sInstance, withDestinationInstance: destination, for: mapping)
        try work.setAttributes(of: destination, from: sInstance)
    }

    /// Called when the destination objects of all source objects were created. Does nothing unless overridden.
    ///
    /// The objects have no relationships yet. They are saved afterwards.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of a destination object.
    ///
    /// It is called once the objects of all mappings exist, for those that were associated with a source object. Of
    /// several source objects, the first one counts.
    ///
    /// - Parameters:
    ///   - dInstance: The destination object.
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let sources = manager.sourceInstances(
            forEntityMappingName: mapping.name ?? "", destinationInstances: [dInstance])
        try PropertyMigration(policy: self, mapping: mapping, manager: manager)
            .setRelationships(of: dInstance, from: sources.first)
    }

    /// Called when all destination objects of the mapping have their relationships. Does nothing unless overridden.
    ///
    /// The objects are saved afterwards, and not validated yet.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called before the destination objects are validated and saved. Does nothing unless overridden.
    ///
    /// An error here ends the migration before the destination store is used. The rules of the model are checked
    /// afterwards.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called when the mapping is done. Does nothing unless overridden.
    ///
    /// The destination objects of this mapping were validated. Later mappings still follow.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - manager: The manager that migrates.
    /// - Throws: An error that ends the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Calls a method that an expression names, as in `FUNCTION($entityPolicy, "fullNameOf:", $source)`.
    ///
    /// Swift has no way to find a method by name off Apple's platforms; a subclass overrides this and looks at the
    /// selector.
    ///
    /// - Parameters:
    ///   - selector: The name as the expression has it, with its colons.
    ///   - arguments: The values of the arguments.
    /// - Returns: The value.
    /// - Throws: `NSEntityMigrationPolicyError` that names the method, unless overridden.
    open func invoke(_ selector: String, arguments: [Any?]) throws -> Any? {
        throw CoreDataError.make(
            NSEntityMigrationPolicyError,
            "The migration policy \(type(of: self)) has no method '\(selector)'; override invoke(_:arguments:).")
    }
}
