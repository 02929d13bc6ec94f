public import CoreDataPlatform

/// Types that a managed property can't have; the compiler shows the message where one is declared.
extension PropertyAccess {
    /// Says that a set of objects is never nil.
    @available(*, unavailable, message: "A relationship to many objects is empty, never nil: remove the question mark.")
    public static func property<Value: NSManagedObject>(
        _ name: String, of type: Set<Value>?.Type
    ) -> ManagedProperty<Set<Value>> { ManagedProperty(name) }

    /// Says that a list of objects is never nil.
    @available(*, unavailable, message: "A relationship to many objects is empty, never nil: remove the question mark.")
    public static func property<Value: NSManagedObject>(
        _ name: String, of type: [Value]?.Type
    ) -> ManagedProperty<[Value]> { ManagedProperty(name) }

    /// Says that an object at the other end may always be missing.
    @available(*, unavailable, message: "A relationship to one object has an optional type and no initial value.")
    public static func property<Value: NSManagedObject>(
        _ name: String, of type: Value.Type, default fallback: @autoclosure @escaping @Sendable () -> Value
    ) -> ManagedProperty<Value?> { ManagedProperty(name) }

    /// Says what types there are.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "No attribute has this type: make it Codable, or mark the property @Attribute(.transformable) or @Transient."
    )
    public static func property<Value>(
        _ name: String, of type: Value.Type, default fallback: @autoclosure @escaping @Sendable () -> Value
    ) -> ManagedProperty<Value> { ManagedProperty(name) }

    /// Says what types there are.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "No attribute has this type: make it Codable, or mark the property @Attribute(.transformable) or @Transient."
    )
    public static func property<Value>(_ name: String, of type: Value?.Type) -> ManagedProperty<Value?> {
        ManagedProperty(name)
    }
}
