extension _MadeFromType where Self: NSPersistentStoreCoordinator {
    /// Creates a coordinator without stores, for `self.init(managedObjectModel:)` in a static member.
    ///
    /// The object is of the class `NSPersistentStoreCoordinator` itself. If `Self` is a subclass, the program stops
    /// with a message: give the subclass a member of its own.
    ///
    /// - Parameter model: The model of all stores that will be added.
    public init(managedObjectModel model: NSManagedObjectModel) {
        self = Self.exactly(NSPersistentStoreCoordinator(managedObjectModel: model))
    }
}

extension _MadeFromType where Self: NSPersistentContainer {
    /// Creates a container with the model of the same name, for `self.init(name:)` in a static member.
    ///
    /// The object is of the class `NSPersistentContainer` itself. If `Self` is a subclass, the program stops with a
    /// message: give the subclass a member of its own.
    ///
    /// - Parameter name: The name of the model, and of the default store's file.
    public init(name: String) { self = Self.exactly(NSPersistentContainer(name: name)) }

    /// Creates a container with a model, for `self.init(name:managedObjectModel:)` in a static member.
    ///
    /// The object is of the class `NSPersistentContainer` itself. If `Self` is a subclass, the program stops with a
    /// message: give the subclass a member of its own.
    ///
    /// - Parameters:
    ///   - name: The name of the default store's file.
    ///   - model: The model, which can't be changed afterwards.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self = Self.exactly(NSPersistentContainer(name: name, managedObjectModel: model))
    }
}
