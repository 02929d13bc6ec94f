// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

extension NSManagedObject: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSManagedObject {
    public static var acceptedProperties: AcceptedProperties { .toOne(Self.self) }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The object's fault is fired. A destination that isn't in the context yet is a fault.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .toOne) else { return object.keyedValue(property) as? Self }
        if object.layout.isProbe { return Self(entity: KeyPathProbe.carrier(), insertInto: nil) }
        guard let slot = object.layout.slots[index] else { return nil }
        guard let destination = object.toOneObject(slot) else { return nil }
        return destination as? Self ?? object.undeclared(destination, as: Self.self, property)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the destination. The inverse relationship is updated.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard let index = property.index(in: object, as: .toOne) else { return object.setKeyedValue(value, property) }
        guard let slot = object.layout.slots[index] else { return }
        object.setToOne(slot, value)
    }
}

extension NSManagedObject {
    /// The members of a property's to-many; none for an object that only probes key paths.
    @usableFromInline
    final func members(_ property: ResolvedProperty) -> ContiguousArray<NSManagedObject> {
        property.index(in: self, as: .toMany).map(members(at:)) ?? []
    }

    /// The members of a to-many.
    fileprivate final func members(at index: Int) -> ContiguousArray<NSManagedObject> {
        layout.isProbe ? [] : members(layout.relationships[index]).objects
    }

    /// Sets the members of a property's to-many.
    final func setMembers(_ property: ResolvedProperty, _ members: ContiguousArray<NSManagedObject>) {
        guard let index = property.index(in: self, as: .toMany) else { return setKeyedValue(Array(members), property) }
        setMembers(layout.relationships[index], members)
    }
}

extension Set: ManagedPropertyType where Element: NSManagedObject {
    public static var acceptedProperties: AcceptedProperties { .toMany(Element.self) }
}

extension Set: ManagedValue where Element: NSManagedObject {
    /// Reads the property of an object.
    ///
    /// The relationship is read if it wasn't yet. The set is a copy: changing it doesn't change the object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    // Inlinable because a set of a class that the engine doesn't know is several times as slow to fill.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Set<Element> {
        let members = object.members(property)
        var result = Set<Element>(minimumCapacity: members.count)
        for member in members {
            if let element = member as? Element {
                result.insert(element)
            } else if let element = object.undeclared(member, as: Element.self, property) {
                result.insert(element)
            }
        }
        return result
    }

    /// Writes the property of an object.
    ///
    /// The inverse relationship is updated. Objects that stay don't leave the relationship in between.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Set<Element>, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(property, ContiguousArray(value), of: Element.self)
    }
}

extension Array: ManagedPropertyType where Element: NSManagedObject {
    public static var acceptedProperties: AcceptedProperties { .toMany(Element.self) }
}

extension Array: ManagedValue where Element: NSManagedObject {
    /// The members in order; for a to-many that isn't ordered, in any.
    ///
    /// The array is a copy: changing it doesn't change the object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> [Element] {
        object.members(property).compactMap { $0 as? Element ?? object.undeclared($0, as: Element.self, property) }
    }

    /// Writes the property of an object.
    ///
    /// The inverse relationship is updated. Objects that stay don't leave the relationship in between.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: [Element], _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(property, ContiguousArray(value), of: Element.self)
    }
}

extension NSSet: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSSet {
    public static var acceptedProperties: AcceptedProperties { .collections }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The relationship is read if it wasn't yet. The set is a copy, and `nil` isn't returned for an empty
    /// relationship.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .toMany) else { return object.keyedValue(property) as? Self }
        return NSSet(array: Array(object.members(at: index))) as? Self
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes all objects. Elements that aren't managed objects are ignored.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard let index = property.index(in: object, as: .toMany) else { return object.setKeyedValue(value, property) }
        let objects = value?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
        object.setMembers(object.layout.relationships[index], ContiguousArray(objects))
    }
}

extension NSOrderedSet: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSOrderedSet {
    public static var acceptedProperties: AcceptedProperties { .collections }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The relationship is read if it wasn't yet. The set is a copy, and `nil` isn't returned for an empty
    /// relationship.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .toMany) else { return object.keyedValue(property) as? Self }
        return NSOrderedSet(array: Array(object.members(at: index))) as? Self
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes all objects. Elements that aren't managed objects are ignored.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard let index = property.index(in: object, as: .toMany) else { return object.setKeyedValue(value, property) }
        let objects = value?.array.compactMap { $0 as? NSManagedObject } ?? []
        object.setMembers(object.layout.relationships[index], ContiguousArray(objects))
    }
}
