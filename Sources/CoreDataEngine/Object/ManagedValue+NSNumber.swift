// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Numbers as objects, as classes have them whose model doesn't use scalar types; `NSDecimalNumber` is one of them.
extension NSNumber: ManagedValue, OptionalManagedValue {}

extension OptionalManagedValue where Self: NSNumber {
    public static var acceptedProperties: AcceptedProperties {
        .attributes(
            .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
            .doubleAttributeType, .floatAttributeType, .decimalAttributeType)
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// For the type `NSDecimalNumber`, other numbers are converted.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard object.isNumber(property), let number = object.keyedValue(property) as? NSNumber else { return nil }
        // A number that isn't a decimal becomes one where the property's type is `NSDecimalNumber`.
        return number as? Self ?? NSDecimalNumber(decimal: number.decimalValue) as? Self
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        guard object.isNumber(property) else { return }
        object.setKeyedValue(value, property)
    }
}

extension ManagedValue where Self: NSNumber {
    /// Reads the property of an object.
    ///
    /// If the property has no value, the result is 0. For a saved object, ``UnreadableValues`` reports that. A subclass
    /// other than `NSDecimalNumber` stops the program with a message.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self {
        if let number = readOptional(object, property) { return number }
        guard let zero = NSDecimalNumber.zero as? Self else {
            programmerError("\(property.name) has no value, and its type \(Self.self) has none that stands for it.")
        }
        return object.absent(zero, property)
    }

    /// Writes the property of an object.
    ///
    /// The object's fault is fired, and the next save writes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty) {
        writeOptional(value, object, property)
    }
}

extension NSManagedObject {
    /// Whether a property is one that numbers are read from; a mistake in the class's type is reported.
    fileprivate final func isNumber(_ property: ResolvedProperty) -> Bool {
        property.index(in: self, as: .numbers) != nil || layout.position(named: property.name) != nil
    }
}
