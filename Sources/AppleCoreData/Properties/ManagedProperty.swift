#if canImport(ObjectiveC)
public import CoreData

/// A property of a managed object class, by its name in the model.
public final class ManagedProperty<Value>: ResolvedProperty, @unchecked Sendable {
    override public var valueType: Any.Type? { Value.self }
}

/// The part of a `ManagedProperty` that doesn't depend on the type of the value.
// @unchecked Sendable because the name is constant, and subclasses add constants at most.
open class ResolvedProperty: @unchecked Sendable {
    /// The property's name in the model.
    public let name: String

    /// Names a property of the model.
    public init(_ name: String) { self.name = name }

    /// Which properties of a model this one may be. Apple's framework compares nothing.
    open var acceptedProperties: AcceptedProperties { .any }

    /// The type of the values; `nil` where it is not known.
    open var valueType: Any.Type? { nil }
}

/// Which properties of a model a type goes with. Apple's framework compares nothing, so that there is one answer.
public struct AcceptedProperties: Sendable {
    /// Any property.
    public static let any = AcceptedProperties()
    package static let transformables = AcceptedProperties()
}

/// A class of managed objects that lists the properties that its accessors go through.
public protocol ManagedPropertyListing: NSManagedObject {
    /// The properties that the class itself declares, those of its superclass left out.
    static var managedProperties: [ResolvedProperty] { get }
}

extension NSManagedObject {
    /// The value of a property, typed.
    public subscript<Value: ManagedValue>(property: ManagedProperty<Value>) -> Value {
        get { Value.read(self, property) }
        set { Value.write(newValue, self, property) }
    }
}

// The accessors that Apple's documentation shows for properties that are not declared with @NSManaged.
extension NSManagedObject {
    /// The value of an attribute, or the object or set of a relationship.
    package func accessedValue(_ property: ResolvedProperty) -> Any? {
        willAccessValue(forKey: property.name)
        defer { didAccessValue(forKey: property.name) }
        return primitiveValue(forKey: property.name)
    }

    /// Sets an attribute or a relationship to one object.
    package func setAccessedValue(_ value: Any?, _ property: ResolvedProperty) {
        willChangeValue(forKey: property.name)
        defer { didChangeValue(forKey: property.name) }
        setPrimitiveValue(value, forKey: property.name)
    }

    /// The value of a transformable attribute; nil for none.
    package func transformedValue(_ property: ResolvedProperty) -> Any? { accessedValue(property) }

    /// Sets a transformable attribute.
    package func setTransformedValue(_ value: Any?, _ property: ResolvedProperty) {
        setAccessedValue(value, property)
    }

    /// Logs a value that the attribute can't have. Apple's framework has no place for it, so the old one stays.
    package func setInvalidValue(_ value: Any, _ property: ResolvedProperty) {
        DiagnosticLog.fail(
            "OpenCoreDataMacros",
            "\(entity.name ?? "").\(property.name) can't have the value \(ValueDescription.string(of: value)).")
    }

    /// Does nothing, as none is kept.
    package func forgetInvalidValue(_ property: ResolvedProperty) {}
}
#endif
