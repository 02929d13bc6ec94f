public import CoreDataPlatform

extension NSManagedObjectModel {
    /// Creates the model of classes with `@ManagedObject`.
    ///
    /// - Parameter types: The classes; those that they inherit from and that their relationships lead to among them.
    /// - Throws: A `CocoaError` that names the classes that are missing, or what does not go together.
    public convenience init(for types: any ManagedObjectModeling.Type...) throws { try self.init(for: types) }

    /// Creates the model of a list of classes with `@ManagedObject`.
    ///
    /// - Parameter types: The classes; those that they inherit from and that their relationships lead to among them.
    /// - Throws: A `CocoaError` that names the classes that are missing, or what does not go together.
    public convenience init(for types: [any ManagedObjectModeling.Type]) throws {
        let assembly = try ModelAssembly(types.map { ($0, $0.entityBlueprint) })
        let entities = try assembly.makeEntities()
        self.init()
        self.entities = entities
        try validate()
        for type in types { ManagedObjectClass.noticed(type) }
    }
}
