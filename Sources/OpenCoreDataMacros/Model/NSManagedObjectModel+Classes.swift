public import CoreDataPlatform

extension NSManagedObjectModel {
    /// Creates the model of classes with `@ManagedObject`.
    ///
    /// A class that is given twice counts once. If it isn't clear which relationships are each other's inverses, it
    /// throws; name the inverses then.
    ///
    /// ```swift
    /// let model = try NSManagedObjectModel(for: Book.self, Author.self)
    /// ```
    ///
    /// - Parameter types: The classes; those that they inherit from and that their relationships lead to among them.
    /// - Throws: A `CocoaError` that names the classes that are missing, or what does not go together.
    public convenience init(for types: any ManagedObjectModeling.Type...) throws { try self.init(for: types) }

    /// Creates the model of a list of classes with `@ManagedObject`.
    ///
    /// For lists that are put together at run time. The order doesn't matter, and a class that is given twice counts
    /// once.
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
