/// Which properties of a model a Swift type can be read from and written to.
public struct AcceptedProperties: Sendable {
    let kinds: PropertyKinds
    /// Any property. What the type is read as decides.
    public static let any = AcceptedProperties(kinds: PropertyKinds(rawValue: .max))

    /// Attributes of some types, and those whose values may be of any class: transformable ones and those without type.
    ///
    /// Use it in the `acceptedProperties` of a type of your own.
    ///
    /// - Parameter types: The types of the attributes.
    public static func attributes(_ types: NSAttributeType...) -> AcceptedProperties {
        let kinds = types.reduce(into: PropertyKinds.keyed) { $0.insert(PropertyKinds(SlotKind($1))) }
        return AcceptedProperties(kinds: kinds)
    }

    /// Transformable attributes and those without type: values of any class.
    public static let transformables = AcceptedProperties(kinds: .keyed)

    /// To-manys, and attributes whose values may be of any class: what collections of Foundation's can be.
    static let collections = AcceptedProperties(kinds: PropertyKinds.keyed.union(.toMany))

    /// To-ones. Whether their objects are of the class is seen when they are read.
    ///
    /// The class isn't compared with the destination in the model when the property is resolved.
    ///
    /// - Parameter type: The class of the destination.
    public static func toOne(_ type: NSManagedObject.Type) -> AcceptedProperties { AcceptedProperties(kinds: .toOne) }

    /// To-manys, ordered or not. Whether their objects are of the class is seen when they are read.
    ///
    /// The class isn't compared with the destination in the model when the property is resolved.
    ///
    /// - Parameter type: The class of the destination.
    public static func toMany(_ type: NSManagedObject.Type) -> AcceptedProperties { AcceptedProperties(kinds: .toMany) }

    /// Whether the property at an index is one of them.
    func accept(_ position: PropertyPosition) -> Bool { kinds.contains(position.kind) }
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
