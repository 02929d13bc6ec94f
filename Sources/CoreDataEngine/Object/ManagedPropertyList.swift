import Synchronization

/// A class of managed objects that lists the properties that its accessors go through.
///
/// Listed properties are compared with the model when a store is added: one that doesn't fit is logged. Using it is an error
/// that the context's next fetch or save throws. `@ManagedObject` makes classes conform.
public protocol ManagedPropertyListing: NSManagedObject {
    /// The properties that the class itself declares, those of its superclass left out.
    static var managedProperties: [ResolvedProperty] { get }
}

/// The properties of a class that code generation made accessors for, found as a type `_ModelProperties`,
/// `_ManagedProperties` or `_KeyedProperties` inside of the class.
///
/// Generated code declares these types; there is no need to.
// A type inside, not a conformance: a subclass inherits that of its superclass, which an extension can't override.
open class ManagedPropertyList {
    /// The properties.
    open class var properties: [ResolvedProperty] { [] }

    /// Getters of the properties that aren't in the model, and that `@objc` makes known to key-value coding on Apple's
    /// platforms, by their names.
    open class var keyedValues: [String: @Sendable (NSManagedObject) -> Any?] { [:] }
}

/// The properties besides those of the model that key-value coding finds, looked up once for each class.
enum KeyedProperties {
    typealias Getter = @Sendable (NSManagedObject) -> Any?

    private static let known = Mutex<[ObjectIdentifier: [String: Getter]]>([:])

    /// How a property of a class is read; `nil` if code generation found no such property.
    static func getter(_ key: String, of type: NSManagedObject.Type) -> Getter? { all(of: type)[key] }

    private static func all(of type: NSManagedObject.Type) -> [String: Getter] {
        if let found = known.withLock({ $0[ObjectIdentifier(type)] }) { return found }
        guard type != NSManagedObject.self else { return [:] }
        let inherited = (_getSuperclass(type) as? NSManagedObject.Type).map(all) ?? [:]
        let own = ListedProperties.list("_KeyedProperties", of: type)?.keyedValues ?? [:]
        let found = inherited.merging(own) { _, own in own }
        known.withLock { $0[ObjectIdentifier(type)] = found }
        return found
    }
}

/// What classes list, found once for each.
enum ListedProperties {
    private static let known = Mutex<[ObjectIdentifier: [ResolvedProperty]]>([:])

    /// The properties of a class and its superclasses.
    static func all(of type: NSManagedObject.Type) -> [ResolvedProperty] {
        if let listed = known.withLock({ $0[ObjectIdentifier(type)] }) { return listed }
        guard type != NSManagedObject.self else { return [] }
        var listed = (_getSuperclass(type) as? NSManagedObject.Type).map(all) ?? []
        // A class that says nothing itself inherits what its superclass says.
        var seen = Set(listed.map(ObjectIdentifier.init))
        for property in own(type) where seen.insert(ObjectIdentifier(property)).inserted { listed.append(property) }
        let found = listed
        known.withLock { $0[ObjectIdentifier(type)] = found }
        return found
    }

    private static func own(_ type: NSManagedObject.Type) -> [ResolvedProperty] {
        let said = (type as? any ManagedPropertyListing.Type)?.managedProperties ?? []
        return said
            + ["_ModelProperties", "_ManagedProperties"].flatMap { list($0, of: type)?.properties ?? [] }
    }

    /// The list of a name inside of a class.
    fileprivate static func list(_ name: String, of type: NSManagedObject.Type) -> ManagedPropertyList.Type? {
        guard let outer = _mangledTypeName(type) else { return nil }
        return _typeByName("\(outer)\(name.utf8.count)\(name)C") as? ManagedPropertyList.Type
    }
}
