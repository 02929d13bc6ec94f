/// What lets `self.init(…)` and `Self(…)` compile in static members that a program adds to classes of the engine.
///
/// Swift calls only `required` initializers of a class that is known at run time, and those would have to be repeated in
/// every subclass that has an initializer of its own. The initializers that extensions of this protocol have are found where
/// the class's own can't be called. They make objects of the engine's classes.
public protocol _MadeFromType {}

extension _MadeFromType {
    /// The object, which is of one of the engine's classes, as one of the class that was asked for.
    static func exactly(_ object: any _MadeFromType) -> Self {
        guard let made = object as? Self else {
            preconditionFailure(
                "self.init(…) in an extension of \(type(of: object)) makes objects of that class, and \(Self.self) was asked "
                    + "for one. Give \(Self.self) a member of its own that calls its initializer.")
        }
        return made
    }
}

extension _MadeFromType where Self: NSManagedObjectModel {
    /// Creates a model without entities, for `self.init()` in a static member.
    public init() { self = Self.exactly(NSManagedObjectModel()) }
}

extension _MadeFromType where Self: NSEntityDescription {
    /// Creates an entity without a name, for `self.init()` in a static member.
    public init() { self = Self.exactly(NSEntityDescription()) }
}

extension _MadeFromType where Self: NSPropertyDescription {
    /// Creates a property without a name, for `self.init()` in a static member.
    public init() {
        let kinds: [NSPropertyDescription.Type] = [
            NSAttributeDescription.self, NSDerivedAttributeDescription.self, NSCompositeAttributeDescription.self,
            NSRelationshipDescription.self, NSFetchedPropertyDescription.self, NSExpressionDescription.self,
        ]
        switch kinds.first(where: { $0 == Self.self }) {
        case is NSDerivedAttributeDescription.Type: self = Self.exactly(NSDerivedAttributeDescription())
        case is NSCompositeAttributeDescription.Type: self = Self.exactly(NSCompositeAttributeDescription())
        case is NSAttributeDescription.Type: self = Self.exactly(NSAttributeDescription())
        case is NSRelationshipDescription.Type: self = Self.exactly(NSRelationshipDescription())
        case is NSFetchedPropertyDescription.Type: self = Self.exactly(NSFetchedPropertyDescription())
        case is NSExpressionDescription.Type: self = Self.exactly(NSExpressionDescription())
        default: self = Self.exactly(NSPropertyDescription())
        }
    }
}

extension _MadeFromType where Self: NSPersistentStoreCoordinator {
    /// Makes a coordinator without stores, for `self.init(managedObjectModel:)` in a static member.
    ///
    /// - Parameter model: The model of all stores that will be added.
    public init(managedObjectModel model: NSManagedObjectModel) {
        self = Self.exactly(NSPersistentStoreCoordinator(managedObjectModel: model))
    }
}

extension _MadeFromType where Self: NSManagedObjectContext {
    /// Makes a context, for `self.init(concurrencyType:)` in a static member.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self = Self.exactly(NSManagedObjectContext(concurrencyType: concurrencyType))
    }

    /// Makes a context, for `self.init(_:)` in a static member.
    public init(_ type: NSManagedObjectContext.ConcurrencyType) { self = Self.exactly(NSManagedObjectContext(type)) }
}

extension _MadeFromType where Self: NSPersistentContainer {
    /// Makes a container with the model of the same name, for `self.init(name:)` in a static member.
    ///
    /// - Parameter name: The name of the model, and of the default store's file.
    public init(name: String) { self = Self.exactly(NSPersistentContainer(name: name)) }

    /// Makes a container with a model, for `self.init(name:managedObjectModel:)` in a static member.
    ///
    /// - Parameters:
    ///   - name: The name of the default store's file.
    ///   - model: The model, which can't be changed afterwards.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self = Self.exactly(NSPersistentContainer(name: name, managedObjectModel: model))
    }
}
