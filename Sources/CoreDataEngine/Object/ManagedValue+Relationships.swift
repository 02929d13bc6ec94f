// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

extension NSManagedObject: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSManagedObject {
    public static var acceptedProperties: AcceptedProperties { .toOne(Self.self) }

    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .toOne) else { return object.keyedValue(property) as? Self }
        if object.layout.isProbe { return Self(entity: KeyPathProbe.carrier(), insertInto: nil) }
        guard let slot = object.layout.slots[index] else { return nil }
        guard let destination = object.toOneObject(slot) else { return nil }
        return destination as? Self ?? object.undeclared(destination, as: Self.self, property)
    }

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

    public static func write(_ value: Set<Element>, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(property, ContiguousArray(value), of: Element.self)
    }
}

extension Array: ManagedPropertyType where Element: NSManagedObject {
    public static var acceptedProperties: AcceptedProperties { .toMany(Element.self) }
}

extension Array: ManagedValue where Element: NSManagedObject {
    /// The members in order; for a to-many that isn't ordered, in any.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> [Element] {
        object.members(property).compactMap { $0 as? Element ?? object.undeclared($0, as: Element.self, property) }
    }

    public static func write(_ value: [Element], _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(property, ContiguousArray(value), of: Element.self)
    }
}

extension NSSet: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSSet {
    public static var acceptedProperties: AcceptedProperties { .collections }

    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .toMany) else { return object.keyedValue(property) as? Self }
        return NSSet(array: Array(object.members(at: index))) as? Self
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard let index = property.index(in: object, as: .toMany) else { return object.setKeyedValue(value, property) }
        let objects = value?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
        object.setMembers(object.layout.relationships[index], ContiguousArray(objects))
    }
}

extension NSOrderedSet: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSOrderedSet {
    public static var acceptedProperties: AcceptedProperties { .collections }

    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .toMany) else { return object.keyedValue(property) as? Self }
        return NSOrderedSet(array: Array(object.members(at: index))) as? Self
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard let index = property.index(in: object, as: .toMany) else { return object.setKeyedValue(value, property) }
        let objects = value?.array.compactMap { $0 as? NSManagedObject } ?? []
        object.setMembers(object.layout.relationships[index], ContiguousArray(objects))
    }
}
