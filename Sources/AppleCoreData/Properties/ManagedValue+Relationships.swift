// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(ObjectiveC)
public import CoreData

extension NSManagedObject: OptionalManagedValue {}

extension OptionalManagedValue where Self: NSManagedObject {
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        object.accessedValue(property) as? Self
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setAccessedValue(value, property)
    }
}

extension NSManagedObject {
    /// The members of a to-many, in their order where the model gives them one.
    fileprivate func members(_ property: ResolvedProperty) -> [Any] {
        switch accessedValue(property) {
        case let set as NSSet: set.allObjects
        case let ordered as NSOrderedSet: ordered.array
        default: []
        }
    }

    /// Sets the members of a to-many through the collection that keeps the other ends.
    fileprivate func setMembers(_ property: ResolvedProperty, _ members: [NSManagedObject]) {
        if entity.relationshipsByName[property.name]?.isOrdered == true {
            let ordered = mutableOrderedSetValue(forKey: property.name)
            ordered.removeAllObjects()
            ordered.addObjects(from: members)
        } else {
            mutableSetValue(forKey: property.name).setSet(Set(members))
        }
    }
}

extension Set: ManagedPropertyType where Element: NSManagedObject {}

extension Set: ManagedValue where Element: NSManagedObject {
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Set<Element> {
        Set(object.members(property).compactMap { $0 as? Element })
    }

    public static func write(_ value: Set<Element>, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(property, Array(value))
    }
}

extension Array: ManagedPropertyType where Element: NSManagedObject {}

extension Array: ManagedValue where Element: NSManagedObject {
    /// The members in order; for a to-many that isn't ordered, in any.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> [Element] {
        object.members(property).compactMap { $0 as? Element }
    }

    public static func write(_ value: [Element], _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setMembers(property, value)
    }
}
#endif
