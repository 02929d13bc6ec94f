package import Foundation

/// Objects that predicates compare by identity: managed objects and their IDs. An object and its own ID are equal.
package protocol ObjectIdentityComparable {
    /// What stands for the object; equal for an object and its ID.
    var predicateIdentity: AnyHashable { get }
}

/// A value as predicates see it: the many types of numbers, texts and collections reduced to a few.
package enum PredicateValue {
    case none
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case text(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case object(AnyHashable)
    case collection([Any?])
    case other(Any)

    /// Classifies a value. The commonest types come first: each cast costs.
    package init(_ value: Any?) {
        guard let value else {
            self = .none
            return
        }
        switch value {
        case let text as String: self = .text(text)
        case let number as NSNumber: self = PredicateValue(number: number, from: value)
        case let date as Date: self = .date(date)
        case let identity as any ObjectIdentityComparable: self = .object(identity.predicateIdentity)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .url(url)
        default: self = PredicateValue(rare: value)
        }
    }

    private init(number: NSNumber, from value: Any) {
        if let decimal = value as? Decimal {
            self = .decimal(decimal)
        } else if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
        } else {
            self = PredicateValue(plainNumber: number)
        }
    }

    private init(plainNumber number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .real(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            self = .decimal(Decimal(number.uint64Value))
        default: self = .integer(number.int64Value)
        }
    }

    private init(rare value: Any) {
        if let elements = CollectionElements.of(value) {
            self = .collection(elements)
            return
        }
        let flat = OptionalValue.flatten(value)
        switch flat {
        case nil: self = .none
        case let float as CGFloat: self = .real(Double(float))
        case let decimal as Decimal: self = .decimal(decimal)
        case let text as Substring: self = .text(String(text))
        case let flat? where type(of: flat) != type(of: value): self = PredicateValue(flat)
        case let raw as any RawRepresentable: self = PredicateValue(raw.rawValueAny)
        default: self = .other(value)
        }
    }

    /// The number as a double, dates as seconds since the reference date; nil for other kinds.
    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        case .date(let value): value.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    /// The text of a text, number or URL, for text operators; nil for other kinds.
    package var text: String? {
        switch self {
        case .text(let value): value
        case .integer(let value): String(value)
        case .real(let value): NumberText.text(of: value)
        case .decimal(let value): NSDecimalNumber(decimal: value).stringValue
        case .url(let value): value.absoluteString
        case .uuid(let value): value.uuidString
        default: nil
        }
    }

    /// The kind as a word for error messages.
    package var kind: String {
        switch self {
        case .none: "nil"
        case .integer, .real, .decimal: "a number"
        case .text: "a text"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .object: "an object"
        case .collection: "a collection"
        case .other(let value): "a value of type \(type(of: value))"
        }
    }
}

extension RawRepresentable {
    fileprivate var rawValueAny: Any { rawValue }
}

/// The text form of numbers in predicates.
package enum NumberText {
    /// The shortest text that reads back as the same double, without a fraction for whole numbers.
    package static func text(of value: Double) -> String {
        if value == value.rounded(.towardZero), abs(value) < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }
}

/// The elements of whatever kind of collection.
package enum CollectionElements {
    /// The elements, or nil if the value is not a collection. A dictionary's elements are its values. Those of
    /// unordered collections come in no particular order.
    package static func of(_ value: Any) -> [Any?]? {
        switch value {
        case let array as [Any?]: array.map(OptionalValue.flatten)
        case let array as NSArray: array.map { OptionalValue.flatten($0) }
        case let set as NSSet: set.allObjects.map { OptionalValue.flatten($0) }
        case let set as NSOrderedSet: set.array.map { OptionalValue.flatten($0) }
        case let dictionary as NSDictionary: dictionary.allValues.map { OptionalValue.flatten($0) }
        case let set as Set<AnyHashable>: set.map { OptionalValue.flatten($0.base) }
        case let dictionary as [AnyHashable: Any]: dictionary.values.map { OptionalValue.flatten($0) }
        default: sequence(value)
        }
    }

    private static func sequence(_ value: Any) -> [Any?]? {
        guard let collection = value as? any Collection, !(value is String), !(value is Data) else { return nil }
        return elements(collection)
    }

    private static func elements(_ collection: some Collection) -> [Any?] {
        collection.map { OptionalValue.flatten($0) }
    }

    /// Whether the elements have an order that means something.
    package static func isUnordered(_ value: Any) -> Bool {
        value is NSSet || value is Set<AnyHashable>
    }
}
