// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A type that a managed property can have.
///
/// Numbers, `Bool`, `String`, `Date`, `Data`, `UUID`, `URL`, `Decimal`, their optionals, an optional managed object, and a
/// `Set` or array of managed objects.
public protocol ManagedValue: ManagedPropertyType {
    /// Reads the property of an object, which fires if it is a fault.
    ///
    /// If the store has no value, the result is zero, empty.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self
    /// Writes the property of an object, as setting a property of its class does.
    ///
    /// The change is tracked, and the inverse of a relationship is updated. A property that the entity lacks isn't set,
    /// and the context's next fetch or save throws.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty)
}

/// A type whose optional a managed property can have too.
public protocol OptionalManagedValue: ManagedPropertyType {
    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The object's fault is fired. A stored value that can't be read as this type gives `nil`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self?
    /// Writes the property of an object. `nil` removes the value.
    ///
    /// The change is tracked, and the inverse of a relationship is updated. Removing the value of a required property
    /// is an error when the object is saved.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty)
}

extension Optional: ManagedPropertyType where Wrapped: OptionalManagedValue {
    public static var acceptedProperties: AcceptedProperties { Wrapped.acceptedProperties }
}

extension Optional: ManagedValue where Wrapped: OptionalManagedValue {
    /// Reads the property of an object.
    ///
    /// The object's fault is fired. The result is `nil` if the property has no value.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Wrapped? {
        Wrapped.readOptional(object, property)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func write(_ value: Wrapped?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        Wrapped.writeOptional(value, object, property)
    }
}

extension NSManagedObject {
    /// The value of a property, typed.
    ///
    /// The property is found by its name, which is compared with the entity once and not for each access.
    ///
    /// - Parameter property: The property, such as `ManagedProperty<String>("title")`.
    @inlinable
    public subscript<Value: ManagedValue>(property: ManagedProperty<Value>) -> Value {
        get { Value.read(self, property) }
        set { Value.write(newValue, self, property) }
    }
}

// MARK: Numbers

extension NSManagedObject {
    /// The word of a slot in the row of an object that is neither a fault nor edited; `nil` if the slow path is needed.
    @inlinable @inline(__always)
    final func plainWord(_ property: ResolvedProperty) -> UInt64? {
        let known = property.lastResolved
        guard rowWord & 1 == 0, UInt32(truncatingIfNeeded: known >> 32) == layoutIdentifier,
            let words = UnsafePointer<UInt64>(bitPattern: rowWord)
        else { return nil }
        return RowPointer(words: words).word(Int(truncatingIfNeeded: known & 0xFFFF_FFFF))
    }
}

extension NSManagedObject {
    @inline(never) @usableFromInline
    final func integer(_ property: ResolvedProperty) -> Int64? {
        prepareToRead()
        guard let index = property.index(in: self, as: .wholeNumbers) else {
            return keyedValue(property).flatMap(SlotLayout.integer)
        }
        if extras != nil, let edit = edit(index) {
            if case .integer(let number) = edit { return number }
            return nil
        }
        guard let rowValues, !rowValues.isNull(index) else {
            if case .integer(let number) = valueInsteadOfNull(index) { return number }
            return nil
        }
        return rowValues.integer(index)
    }

    @inline(never) @usableFromInline
    final func double(_ property: ResolvedProperty) -> Double? {
        prepareToRead()
        guard let index = property.index(in: self, as: .realNumbers) else { return keyedDouble(property) }
        if extras != nil, let edit = edit(index) {
            if case .double(let number) = edit { return number }
            return nil
        }
        guard let rowValues, !rowValues.isNull(index) else {
            if case .double(let number) = valueInsteadOfNull(index) { return number }
            return nil
        }
        return rowValues.double(index)
    }

    /// Sets an attribute.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of attributes that may hold `value`.
    ///   - given: The value as key-value coding takes it, for an attribute that is reached by its name.
    @inline(__always)
    final func set(
        _ property: ResolvedProperty, as kinds: PropertyKinds, _ value: PropertyValue, _ given: @autoclosure () -> Any?
    ) {
        guard let index = property.index(in: self, as: kinds) else { return setKeyedValue(given(), property) }
        setAttribute(index, value)
    }
}

/// The integer types of attributes.
public protocol ManagedInteger: ManagedValue, OptionalManagedValue, FixedWidthInteger {}

extension ManagedInteger {
    public static var acceptedProperties: AcceptedProperties {
        // A Boolean value is 0 or 1 in a row.
        .attributes(
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType)
    }

    /// Reads the property of an object.
    ///
    /// The result is 0 if the property has no value. Of a number that doesn't fit the type, the lowest bits are
    /// returned.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self {
        readOptional(object, property) ?? 0
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// Of a number that doesn't fit the type, the lowest bits are returned. A Boolean value is 0 or 1.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        (object.plainWord(property).map { Int64(bitPattern: $0) } ?? object.integer(property))
            .map { Self(truncatingIfNeeded: $0) }
    }

    /// Writes the property of an object.
    ///
    /// A number that doesn't fit the attribute is an error when the object is saved.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .wholeNumbers, .integer(Int64(truncatingIfNeeded: value)), value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value. A number that doesn't fit the attribute is an error when the object is saved.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(
            property, as: .wholeNumbers, value.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null, value)
    }
}

extension Int: ManagedInteger {}
extension Int16: ManagedInteger {}
extension Int32: ManagedInteger {}
extension Int64: ManagedInteger {}

extension Bool: ManagedValue, OptionalManagedValue {
    public static var acceptedProperties: AcceptedProperties {
        .attributes(
            .booleanAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType)
    }

    /// Reads the property of an object.
    ///
    /// The result is `false` if the property has no value. Every number but 0 is `true`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Bool {
        readOptional(object, property) ?? false
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// Every number but 0 is `true`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Bool? {
        (object.plainWord(property).map { Int64(bitPattern: $0) } ?? object.integer(property)).map { $0 != 0 }
    }

    /// Writes the property of an object.
    ///
    /// An integer attribute gets 1 or 0.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Bool, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .wholeNumbers, .integer(value ? 1 : 0), value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value. An integer attribute gets 1 or 0.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Bool?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .wholeNumbers, value.map { .integer($0 ? 1 : 0) } ?? .null, value)
    }
}

extension Double: ManagedValue, OptionalManagedValue {
    public static var acceptedProperties: AcceptedProperties {
        // A date that is a number to Swift is a `TimeInterval`.
        .attributes(.doubleAttributeType, .floatAttributeType, .dateAttributeType)
    }

    /// Reads the property of an object.
    ///
    /// The result is 0 if the property has no value. A date is read as its seconds since the reference date, January 1,
    /// 2001.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Double {
        readOptional(object, property) ?? 0
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// A date is read as its seconds since the reference date, January 1, 2001.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Double? {
        object.plainWord(property).map { Double(bitPattern: $0) } ?? object.double(property)
    }

    /// Writes the property of an object.
    ///
    /// A date attribute gets the seconds since the reference date, January 1, 2001.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Double, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .realNumbers, .double(value), value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value. A date attribute gets the seconds since the reference date, January 1, 2001.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Double?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .realNumbers, value.map { .double($0) } ?? .null, value)
    }
}

extension Float: ManagedValue, OptionalManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.doubleAttributeType, .floatAttributeType) }

    /// Reads the property of an object.
    ///
    /// The result is 0 if the property has no value. A `Double` is rounded.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Float {
        Float(Double.read(object, property))
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// A `Double` is rounded.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Float? {
        Double.readOptional(object, property).map { Float($0) }
    }

    /// Writes the property of an object.
    ///
    /// The object's fault is fired, and the next save writes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Float, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .realNumbers, .double(Double(value)), value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Float?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .realNumbers, value.map { .double(Double($0)) } ?? .null, value)
    }
}

// MARK: Dates

extension Date: ManagedValue, OptionalManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.dateAttributeType) }

    /// Reads the property of an object.
    ///
    /// The result is the reference date, January 1, 2001, if the property has no value.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Date {
        Date(timeIntervalSinceReferenceDate: Double.read(object, property))
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The object's fault is fired.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    @inlinable
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Date? {
        Double.readOptional(object, property).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// Writes the property of an object.
    ///
    /// The object's fault is fired, and the next save writes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Date, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .realNumbers, .double(value.timeIntervalSinceReferenceDate), value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Date?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(
            property, as: .realNumbers, value.map { .double($0.timeIntervalSinceReferenceDate) } ?? .null, value)
    }
}

// MARK: Strings

extension String: ManagedValue, OptionalManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.stringAttributeType) }

    /// Reads the property of an object.
    ///
    /// The result is an empty string if the property has no value.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> String {
        readOptional(object, property) ?? ""
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The object's fault is fired.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> String? {
        if let word = object.plainWord(property) { return RowPointer.string(word) }
        object.prepareToRead()
        guard let index = property.index(in: object, as: .string) else {
            return object.keyedValue(property) as? String
        }
        if object.extras != nil, let edit = object.edit(index) {
            if case .string(let string) = edit { return string }
            return nil
        }
        guard let values = object.rowValues, !values.isNull(index) else {
            if case .string(let string) = object.valueInsteadOfNull(index) { return string }
            return nil
        }
        return values.string(index)
    }

    /// Writes the property of an object.
    ///
    /// The object's fault is fired, and the next save writes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: String, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .string, .string(value), value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: String?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .string, value.map { .string($0) } ?? .null, value)
    }
}
