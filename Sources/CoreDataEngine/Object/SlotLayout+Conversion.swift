import Foundation

/// A value that doesn't fit the property it was set for.
package struct UnacceptableValue: Error {
    package let sentence: String
}

extension SlotLayout {
    /// The stored form of a value that an application gave.
    ///
    /// - Throws: `UnacceptableValue` when the type doesn't fit the attribute.
    package func propertyValue(from value: Any?) throws -> PropertyValue {
        guard let value = OptionalValue.flatten(value) else { return .null }
        switch kind {
        case .boolean:
            if let flag = value as? Bool { return .integer(flag ? 1 : 0) }
            if let number = Self.integer(from: value) { return .integer(number == 0 ? 0 : 1) }
        case .integer16, .integer32, .integer64:
            if let number = Self.integer(from: value) { return .integer(number) }
        case .double: if let number = Self.double(from: value) { return .double(number) }
        case .float: if let number = Self.double(from: value) { return .double(try float(number)) }
        case .date: if let date = value as? Date { return .double(date.timeIntervalSinceReferenceDate) }
        case .string: if let string = value as? String { return .string(string) }
        case .data: if let data = value as? Data { return .data(data) }
        case .uuid: if let uuid = value as? UUID { return .uuid(uuid) }
        case .uri: if let url = value as? URL { return .uri(url) }
        case .decimal:
            if let decimal = Self.decimal(from: value) { return .decimal(DecimalBox(decimal)) }
            if Self.double(from: value) != nil { throw outOfRange(value) }
        case .transformable, .composite, .objectID, .undefined: return .transformed(TransformedValue(value))
        case .toOne: if let object = value as? NSManagedObject { return .object(object) }
        }
        if kind.isWhole, Self.double(from: value) != nil { throw outOfRange(value) }
        throw UnacceptableValue(
            sentence: "Unacceptable type of value for \(describedKind): property = \"\(name)\"; "
                + "desired type = \(desiredType); given type = \(type(of: value)).")
    }

    /// A number as the attribute rounds it.
    ///
    /// - Throws: `UnacceptableValue` for a finite number beyond the attribute's range.
    private func float(_ number: Double) throws -> Double {
        let rounded = Double(Float(number))
        guard rounded.isFinite || !number.isFinite else { throw outOfRange(number) }
        return rounded
    }

    /// The error for a number that the attribute can't hold: not whole, not finite, or too large.
    func outOfRange(_ value: Any) -> UnacceptableValue {
        UnacceptableValue(
            sentence: "Unacceptable value for attribute: property = \"\(name)\"; "
                + "\(describedRange) can't hold the number \(ValueDescription.string(of: value)).")
    }

    private var describedRange: String {
        switch kind {
        case .decimal: "a decimal attribute"
        case .boolean: "a Boolean attribute"
        case .float: "a float attribute"
        default: "an integer attribute"
        }
    }

    /// What an application gets for a stored value.
    package func any(from value: PropertyValue) -> Any? {
        switch value {
        case .null: nil
        case .integer(let number): kind == .boolean ? NSNumber(value: number != 0) : NSNumber(value: number)
        case .double(let number):
            switch kind {
            case .date: Date(timeIntervalSinceReferenceDate: number)
            case .float: NSNumber(value: Float(number))
            default: NSNumber(value: number)
            }
        case .string(let string): string
        case .data(let data):
            switch kind {
            case .transformable: TransformableCoding.value(from: data, attribute: attribute)
            case .composite: CompositeCoding.decode(data, slot: self)
            default: data
            }
        case .uuid(let uuid): uuid
        case .uri(let url): url
        case .decimal(let box): NSDecimalNumber(decimal: box.value)
        case .reference: nil
        case .object(let object): object
        case .transformed(let box): box.value
        }
    }

    private var describedKind: String { kind == .toOne ? "to-one relationship" : "attribute" }

    private var desiredType: String {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: "NSNumber"
        case .date: "Date"
        case .string: "String"
        case .data: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .decimal: "Decimal"
        case .toOne: relationship?.destination.name ?? "NSManagedObject"
        case .transformable, .composite, .objectID, .undefined: "Any"
        }
    }

    static func integer(from value: Any) -> Int64? {
        switch value {
        case let number as Int: Int64(number)
        case let number as Int16: Int64(number)
        case let number as Int32: Int64(number)
        case let number as Int64: number
        case let number as any BinaryInteger: Int64(exactly: number)
        case let flag as Bool: flag ? 1 : 0
        case let number as Double: Int64(exactly: number)
        case let number as Float: Int64(exactly: number)
        case let number as NSNumber: number as? Int64
        default: nil
        }
    }

    static func double(from value: Any) -> Double? {
        switch value {
        case let number as Double: number
        case let number as Float: Double(number)
        case let number as Decimal: NSDecimalNumber(decimal: number).doubleValue
        case let number as any BinaryInteger: Double(number)
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }

    /// The decimal of a number; nil for what is no number, and for a number that is not finite or beyond a decimal's range.
    static func decimal(from value: Any) -> Decimal? {
        let decimal: Decimal? =
            switch value {
            case let number as Decimal: number
            case let number as NSDecimalNumber: number.decimalValue
            case let number as Int: Decimal(number)
            case let number as Double: Decimal(shortestStringOf: number)
            case let number as Float: Decimal(shortestString: number.description)
            case let number as any BinaryInteger: Decimal(string: String(number), locale: nil)
            case let number as NSNumber: decimal(fromNumber: number)
            default: nil
            }
        return decimal.flatMap { $0.isNaN ? nil : $0 }
    }

    private static func decimal(fromNumber number: NSNumber) -> Decimal? {
        switch String(cString: number.objCType) {
        // Foundation's own conversion stops the program at an infinite number.
        case "d": Decimal(shortestStringOf: number.doubleValue)
        case "f": Decimal(shortestString: number.floatValue.description)
        default: number.decimalValue
        }
    }
}

extension SlotKind {
    /// Whether the kind's values are whole numbers.
    fileprivate var isWhole: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: true
        default: false
        }
    }
}
