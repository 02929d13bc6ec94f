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
        case .float: if let number = Self.double(from: value) { return .double(Double(Float(number))) }
        case .date: if let date = value as? Date { return .double(date.timeIntervalSinceReferenceDate) }
        case .string: if let text = value as? String { return .string(text) }
        case .data: if let data = value as? Data { return .data(data) }
        case .uuid: if let uuid = value as? UUID { return .uuid(uuid) }
        case .uri: if let url = value as? URL { return .uri(url) }
        case .decimal: if let decimal = Self.decimal(from: value) { return .decimal(DecimalBox(decimal)) }
        case .transformable, .composite, .objectID, .undefined: return .transformed(TransformedValue(value))
        case .toOne: if let object = value as? NSManagedObject { return .object(object) }
        }
        throw UnacceptableValue(
            sentence: "Unacceptable type of value for \(describedKind): property = \"\(name)\"; "
                + "desired type = \(desiredType); given type = \(type(of: value)).")
    }

    /// What an application gets for a stored value.
    func any(from value: PropertyValue) -> Any? {
        switch value {
        case .null: nil
        case .integer(let number): kind == .boolean ? NSNumber(value: number != 0) : NSNumber(value: number)
        case .double(let number):
            switch kind {
            case .date: Date(timeIntervalSinceReferenceDate: number)
            case .float: NSNumber(value: Float(number))
            default: NSNumber(value: number)
            }
        case .string(let text): text
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

    static func decimal(from value: Any) -> Decimal? {
        switch value {
        case let number as Decimal: number
        case let number as NSDecimalNumber: number.decimalValue
        case let number as Int: Decimal(number)
        case let number as Double: Decimal(string: number.description, locale: nil) ?? Decimal(number)
        case let number as any BinaryInteger: Decimal(string: String(number), locale: nil)
        case let number as NSNumber: number.decimalValue
        default: nil
        }
    }
}
