import Foundation

/// What a property of a probing object is read as.
enum ProbedValue: Sendable {
    /// Nothing is known of it: it was read by its name.
    case unknown
    /// A value of the type, the first or the second: what is computed of it differs from it in one of two.
    case sample(any Any.Type, Int)
    /// Some value of the type.
    case some(any Any.Type)

    static let samples = [1, 2]

    /// What a property is read as.
    ///
    /// - Parameter sample: 0 for no value.
    init(_ property: ResolvedProperty, sample: Int) {
        guard let type = property.valueType else {
            self = .unknown
            return
        }
        // What others than `ManagedProperty` make of a value is theirs.
        let isPlain = property is any PlainValueProperty && Self.isAttributeType(type)
        self = isPlain && sample > 0 ? .sample(type, sample) : .some(type)
    }

    /// What the accessor is to find.
    var value: PropertyValue? {
        if case .sample(let type, let number) = self { Self.value(type, number) } else { nil }
    }

    /// Whether a type is one that attributes have. Others, as an enumeration, are made of an attribute's value.
    static func isAttributeType(_ type: any Any.Type) -> Bool { value(type, 1) != nil }

    private static func unwrapped(_ type: any Any.Type) -> any Any.Type {
        (type as? any OptionalType.Type)?.wrappedType ?? type
    }

    // Whole numbers are small: an accessor may look for the case of an enumeration with that number.
    private static func value(_ type: any Any.Type, _ number: Int) -> PropertyValue? {
        switch unwrapped(type) {
        case is Bool.Type: .integer(number == 1 ? 1 : 0)
        case is any FixedWidthInteger.Type: .integer(Int64(number))
        case is Double.Type, is Float.Type, is Date.Type: .double(Double(number) * 1.5)
        case is String.Type: .string(" aB\(number) ")
        case is Data.Type: .data(Data([1, UInt8(number)]))
        case is UUID.Type:
            .uuid(UUID(uuid: (UInt8(number), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        case is URL.Type: URL(string: "probe:a\(number)").map { .uri($0) }
        case is Decimal.Type: .decimal(DecimalBox(Decimal(number)))
        default: nil
        }
    }

    /// Whether what a key path gives is what was read.
    ///
    /// - Parameter type: The key path's type.
    func isShown(by result: Any?, as type: any Any.Type) -> Bool {
        switch self {
        case .unknown: return true
        case .some(let read): return Self.unwrapped(read) == Self.unwrapped(type)
        case .sample(let read, _):
            let areTruths = [read, type].map { Self.unwrapped($0) == Bool.self }
            guard areTruths[0] == areTruths[1], let value, let result = OptionalValue.flatten(result) else {
                return false
            }
            return Self.equal(value, result)
        }
    }

    /// A number, a date and the seconds that it is are equal: classes have attributes in wider types than the model.
    private static func equal(_ value: PropertyValue, _ result: Any) -> Bool {
        func number(_ value: Any) -> Double? {
            (value as? Date)?.timeIntervalSinceReferenceDate ?? SlotLayout.double(from: value)
        }
        return switch value {
        case .integer(let wanted): number(result) == Double(wanted) || result as? Bool == (wanted != 0)
        case .double(let wanted): number(result) == wanted
        case .string(let string): result as? String == string
        case .data(let data): result as? Data == data
        case .uuid(let uuid): result as? UUID == uuid
        case .uri(let url): result as? URL == url
        case .decimal(let box): number(result) == NSDecimalNumber(decimal: box.value).doubleValue
        default: true
        }
    }
}

/// A property whose accessor gives a value as it is kept.
private protocol PlainValueProperty {}

extension ManagedProperty: PlainValueProperty {}

/// What an optional type is optional of.
private protocol OptionalType {
    static var wrappedType: any Any.Type { get }
}

extension Optional: OptionalType {
    fileprivate static var wrappedType: any Any.Type { Wrapped.self }
}
