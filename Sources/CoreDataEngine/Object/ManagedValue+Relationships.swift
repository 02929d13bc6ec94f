// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

extension NSManagedObject: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSManagedObject {
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        let place = property.place(in: object, toMany: false)
        if object.layout.isProbe { return Self(entity: KeyPathProbe.carrier(), insertInto: nil) }
        guard let slot = object.layout.slots[place] else { return nil }
        return object.toOneObject(slot) as? Self
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard let slot = object.layout.slots[property.place(in: object, toMany: false)] else { return }
        object.setToOne(slot, value)
    }
}

extension NSManagedObject {
    final func relationship(_ property: ResolvedProperty) -> RelationshipLayout {
        layout.relationships[property.place(in: self, toMany: true)]
    }

    /// The members of a property's to-many; none for an object that only probes key paths.
    @usableFromInline
    final func members(_ property: ResolvedProperty) -> ContiguousArray<NSManagedObject> {
        let place = property.place(in: self, toMany: true)
        return layout.isProbe ? [] : members(layout.relationships[place]).objects
    }
}

extension Set: ManagedValue where Element: NSManagedObject {
    // Inlinable because a set of a class that the engine doesn't know is several times as slow to fill.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Set<Element> {
        let members = object.members(property)
        var result = Set<Element>(minimumCapacity: members.count)
        for member in members {
            if let element = member as? Element { result.insert(element) }
        }
        return result
    }

    public static func write(_ value: Set<Element>, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(object.relationship(property), ContiguousArray(value))
    }
}

extension Array: ManagedValue where Element: NSManagedObject {
    /// The members in order; for a to-many that isn't ordered, in any.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> [Element] {
        object.members(property).compactMap { $0 as? Element }
    }

    public static func write(_ value: [Element], _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(object.relationship(property), ContiguousArray(value))
    }
}

extension NSSet: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSSet {
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        NSSet(array: Array(object.members(property))) as? Self
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        let objects = value?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
        object.setMembers(object.relationship(property), ContiguousArray(objects))
    }
}

extension NSOrderedSet: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSOrderedSet {
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        NSOrderedSet(array: Array(object.members(property))) as? Self
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        let objects = value?.array.compactMap { $0 as? NSManagedObject } ?? []
        object.setMembers(object.relationship(property), ContiguousArray(objects))
    }
}
