package import Foundation

/// Objects that predicates compare by identity: managed objects and their IDs.
///
/// An object and its own ID are equal.
package protocol ObjectIdentityComparable {
    /// What represents the object; equal for an object and its ID.
    var predicateIdentity: AnyHashable { get }
}

/// A value as predicates see it: the many types of numbers, strings and collections reduced to a few.
package enum PredicateValue {
    case none
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case object(AnyHashable)
    case collection([Any?])
    case other(Any)

    /// Classifies a value.
    ///
    /// The commonest types are recognized by identity: a cast that fails tries every way of bridging.
    package init(_ value: Any?) {
        guard let value else {
            self = .none
            return
        }
        let type = type(of: value)
        if let known = PredicateValue(common: value, type) {
            self = known
        } else if type is AnyClass {
            self = PredicateValue(object: value)
        } else {
            self = PredicateValue(bridging: value)
        }
    }

    private init?(common value: Any, _ type: Any.Type) {
        if type == String.self, let string = value as? String {
            self = .string(string)
        } else if type == Int.self, let number = value as? Int {
            self = .integer(Int64(number))
        } else if type == Int64.self, let number = value as? Int64 {
            self = .integer(number)
        } else if type == Double.self, let number = value as? Double {
            self = .real(number)
        } else if type == Date.self, let date = value as? Date {
            self = .date(date)
        } else if type == Bool.self, let flag = value as? Bool {
            self = .integer(flag ? 1 : 0)
        } else if type == UUID.self, let uuid = value as? UUID {
            self = .uuid(uuid)
        } else if type == Data.self, let data = value as? Data {
            self = .data(data)
        } else if type == Decimal.self, let decimal = value as? Decimal {
            self = PredicateValue(decimal: decimal)
        } else {
            return nil
        }
    }

    private init(object value: Any) {
        switch value {
        case let identity as any ObjectIdentityComparable: self = .object(identity.predicateIdentity)
        case let number as NSNumber: self = PredicateValue(number: number, from: value)
        case let string as NSString: self = .string(String(string))
        case let date as NSDate: self = .date(date as Date)
        case let data as NSData: self = .data(data as Data)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let url as NSURL: self = .url(url as URL)
        default: self = PredicateValue(rare: value)
        }
    }

    private init(bridging value: Any) {
        switch value {
        case let url as URL: self = .url(url)
        case let identity as any ObjectIdentityComparable: self = .object(identity.predicateIdentity)
        case let string as String: self = .string(string)
        case let number as NSNumber: self = PredicateValue(number: number, from: value)
        default: self = PredicateValue(rare: value)
        }
    }

    private init(number: NSNumber, from value: Any) {
        if let decimal = value as? Decimal {
            self = PredicateValue(decimal: decimal)
        } else if let decimal = number as? NSDecimalNumber {
            self = PredicateValue(decimal: decimal.decimalValue)
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

    /// A decimal that isn't a number is treated like a double that isn't.
    private init(decimal: Decimal) { self = decimal.isNaN ? .real(.nan) : .decimal(decimal) }

    private init(rare value: Any) {
        if let elements = CollectionElements.of(value) {
            self = .collection(elements)
            return
        }
        let flat = OptionalValue.flatten(value)
        switch flat {
        case nil: self = .none
        case let float as CGFloat: self = .real(Double(float))
        case let decimal as Decimal: self = PredicateValue(decimal: decimal)
        case let string as Substring: self = .string(String(string))
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
        case .decimal(let value): NumberFormat.double(of: value)
        case .date(let value): value.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    /// The string form of a string, number or URL, for string operators; nil for other kinds.
    package var string: String? {
        switch self {
        case .string(let value): value
        case .integer(let value): String(value)
        case .real(let value): NumberFormat.string(of: value)
        case .decimal(let value): NumberFormat.string(of: value)
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
        case .string: "a string"
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

/// The string form of numbers in predicates.
package enum NumberFormat {
    /// The shortest string that reads back as the same double, without a fraction for whole numbers.
    package static func string(of value: Double) -> String {
        if value == value.rounded(.towardZero), abs(value) < 1e15 { return String(Int64(value)) }
        return "\(value)"
    }

    /// The text of a decimal as a column of numbers holds it, so that strings are the same in all stores: a whole number of
    /// 64 bits with all of its digits, others with as many as a double has.
    package static func string(of decimal: Decimal) -> String {
        let digits = decimal.description
        if let integer = Int64(digits) { return String(integer) }
        return Double(digits).map { string(of: $0) } ?? "nan"
    }

    /// The double that is nearest to a decimal.
    package static func double(of decimal: Decimal) -> Double {
        Double(decimal.description) ?? NSDecimalNumber(decimal: decimal).doubleValue
    }
}

/// The elements of whatever kind of collection.
package enum CollectionElements {
    /// The elements, or nil if the value is not a collection.
    ///
    /// A dictionary's elements are its values. Those of unordered collections come in no particular order.
    package static func of(_ value: Any) -> [Any?]? {
        if type(of: value) is AnyClass { return ofObject(value) }
        if value is String || value is Data { return nil }
        if let dictionary = value as? any KeyedCollection { return dictionary.anyValues }
        guard let collection = value as? any Collection else { return nil }
        return elements(collection)
    }

    private static func ofObject(_ value: Any) -> [Any?]? {
        switch value {
        case let array as NSArray: array.map { OptionalValue.flatten($0) }
        case let set as NSSet: set.allObjects.map { OptionalValue.flatten($0) }
        case let set as NSOrderedSet: set.array.map { OptionalValue.flatten($0) }
        case let dictionary as NSDictionary: dictionary.allValues.map { OptionalValue.flatten($0) }
        default: nil
        }
    }

    private static func elements<Elements: Collection>(_ collection: Elements) -> [Any?] {
        if Elements.Element.self == AnyHashable.self {
            return collection.map { OptionalValue.flatten(($0 as? AnyHashable)?.base) }
        }
        return collection.map { OptionalValue.flatten($0) }
    }

    /// Whether the elements have an order that means something.
    package static func isUnordered(_ value: Any) -> Bool {
        value is NSSet || value is any SetAlgebra
    }
}

/// What all dictionaries have in common.
protocol KeyedCollection {
    /// The values, without their keys.
    var anyValues: [Any?] { get }

    /// The value of a key, if the keys are strings.
    func anyValue(forKey key: String) -> Any?
}

extension Dictionary: KeyedCollection {
    var anyValues: [Any?] { values.map { OptionalValue.flatten($0) } }

    func anyValue(forKey key: String) -> Any? {
        guard let key = key as? Key else { return nil }
        return OptionalValue.flatten(self[key])
    }
}
