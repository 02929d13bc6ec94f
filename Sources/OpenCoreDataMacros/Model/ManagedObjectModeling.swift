public import CoreDataPlatform

/// A class that says what its entity is. `@ManagedObject` makes classes conform.
public protocol ManagedObjectModeling: ManagedPropertyListing {
    /// The name of the class's entity.
    static var entityName: String { get }
    /// The entity of the class: its properties and how they belong together.
    static var entityBlueprint: EntityBlueprint { get }
}

extension ManagedObjectModeling {
    /// The properties that the class itself declares.
    public static var managedProperties: [ResolvedProperty] { entityBlueprint.properties.map(\.property) }

    /// A request for all objects of the class's entity.
    ///
    /// It has no condition and no order. The entity is found in the model of the context that fetches.
    ///
    /// ```swift
    /// let request = Book.fetchRequest()
    /// request.fetchLimit = 20
    /// let books = try context.fetch(request)
    /// ```
    ///
    /// - Returns: The request.
    public static func fetchRequest() -> NSFetchRequest<Self> {
        ManagedObjectClass.noticed(self)
        return NSFetchRequest(entityName: entityName)
    }
}
