extension _MadeFromType where Self: NSManagedObjectModel {
    /// Creates a model without entities, for `self.init()` in a static member.
    ///
    /// The object is of the class `NSManagedObjectModel` itself. If `Self` is a subclass, the program stops with a
    /// message: give the subclass a member of its own.
    public init() { self = Self.exactly(NSManagedObjectModel()) }
}

extension _MadeFromType where Self: NSEntityDescription {
    /// Creates an entity without a name, for `self.init()` in a static member.
    ///
    /// The object is of the class `NSEntityDescription` itself. If `Self` is a subclass, the program stops with a
    /// message: give the subclass a member of its own.
    public init() { self = Self.exactly(NSEntityDescription()) }
}

extension _MadeFromType where Self: NSPropertyDescription {
    /// Creates a property without a name, for `self.init()` in a static member.
    ///
    /// The object is of the engine's class for which it is called, such as `NSAttributeDescription`. If `Self` is a
    /// subclass in the program, the program stops with a message: give the subclass a member of its own.
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
