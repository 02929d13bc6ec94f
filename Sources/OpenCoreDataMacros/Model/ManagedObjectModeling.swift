public import OpenCoreData

/// A class that says what its entity is. `@ManagedObject` makes classes conform.
public protocol ManagedObjectModeling: NSManagedObject {
    /// The name of the class's entity.
    static var entityName: String { get }
    /// The entity of the class: its properties and how they belong together.
    static var entityBlueprint: EntityBlueprint { get }
}

extension ManagedObjectModeling {
    /// A request for all objects of the class's entity.
    public static func fetchRequest() -> NSFetchRequest<Self> {
        ManagedObjectClass.noticed(self)
        return NSFetchRequest(entityName: entityName)
    }
}
