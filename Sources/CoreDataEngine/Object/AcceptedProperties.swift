/// Which properties of a model a Swift type can be read from and written to.
public struct AcceptedProperties: Sendable {
    let kinds: PropertyKinds
    /// The class of the objects that a relationship leads to.
    let destination: NSManagedObject.Type?

    /// Any property. What the type is read as decides.
    public static let any = AcceptedProperties(kinds: PropertyKinds(rawValue: .max), destination: nil)

    /// Attributes of some types, and those whose values may be of any class: transformable ones and those without type.
    public static func attributes(_ types: NSAttributeType...) -> AcceptedProperties {
        let kinds = types.reduce(into: PropertyKinds.keyed) { $0.insert(PropertyKinds(SlotKind($1))) }
        return AcceptedProperties(kinds: kinds, destination: nil)
    }

    /// Transformable attributes and those without type: values of any class.
    public static let transformables = AcceptedProperties(kinds: .keyed, destination: nil)

    /// To-manys, and attributes whose values may be of any class: what collections of Foundation's can be.
    static let collections = AcceptedProperties(kinds: PropertyKinds.keyed.union(.toMany), destination: nil)

    /// To-ones that lead to objects of a class.
    public static func toOne(_ type: NSManagedObject.Type) -> AcceptedProperties {
        AcceptedProperties(kinds: .toOne, destination: type)
    }

    /// To-manys, ordered or not, that lead to objects of a class.
    public static func toMany(_ type: NSManagedObject.Type) -> AcceptedProperties {
        AcceptedProperties(kinds: .toMany, destination: type)
    }

    /// Whether the property at an index is one of them.
    func accept(_ position: PropertyPosition) -> Bool {
        guard kinds.contains(position.kind) else { return false }
        guard let destination, let relationship = position.relationship else { return true }
        // Either may be the more general: the objects are of the entity's class or of one of its subentities'.
        let found = relationship.destinationClass
        return found == destination || found.inherits(from: destination) || destination.inherits(from: found)
    }
}

/// A type that a property of a class can have, and what it goes with in a model.
public protocol ManagedPropertyType {
    /// The properties of a model that values of this type can be read from and written to.
    static var acceptedProperties: AcceptedProperties { get }
}

extension ManagedPropertyType {
    /// Any property: what a type that doesn't say reads itself as is compared instead.
    public static var acceptedProperties: AcceptedProperties { .any }
}
