// What the form says is documented once, at the requirement of the protocol.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CoreDataPlatform

/// A type that a relationship can have: an optional managed object, or a `Set` or array of managed objects.
public protocol RelationshipValue: ManagedValue {
    /// What the type is in a model.
    static var managedRelationshipForm: RelationshipForm { get }
}

extension Optional: RelationshipValue where Wrapped: NSManagedObject {
    public static var managedRelationshipForm: RelationshipForm {
        RelationshipForm(destination: Wrapped.self, isToMany: false, isOrdered: false)
    }
}

extension Set: RelationshipValue where Element: NSManagedObject {
    public static var managedRelationshipForm: RelationshipForm {
        RelationshipForm(destination: Element.self, isToMany: true, isOrdered: false)
    }
}

extension Array: RelationshipValue where Element: NSManagedObject {
    public static var managedRelationshipForm: RelationshipForm {
        RelationshipForm(destination: Element.self, isToMany: true, isOrdered: true)
    }
}
