import Foundation
import OpenCoreData

/// Values of some properties of an object, which are equal if a store takes them for equal.
///
/// Strings are compared by their bytes. Decimals are Swift's, because `NSDecimalNumber` can't be hashed off Apple's systems.
struct StoredKey: Hashable {
    private enum Part: Hashable {
        case text(ExactString)
        case decimal(Decimal)
        case other(AnyHashable)
    }

    private let parts: [Part]

    /// - Returns: `nil` if a value is missing, or of a type that can't be compared.
    init?(_ values: [Any?]) {
        var parts: [Part] = []
        for value in values {
            guard let part = Self.part(value) else { return nil }
            parts.append(part)
        }
        self.parts = parts
    }

    /// The values, as a predicate takes them.
    var values: [Any] {
        parts.map { part in
            switch part {
            case .text(let text): text.string
            case .decimal(let decimal): NSDecimalNumber(decimal: decimal)
            case .other(let value): value.base
            }
        }
    }

    private static func part(_ value: Any?) -> Part? {
        switch value {
        case nil, is NSNull: nil
        case let object as NSManagedObject: .other(AnyHashable(object.objectID))
        case let number as NSDecimalNumber: .decimal(number.decimalValue)
        case let decimal as Decimal: .decimal(decimal)
        case let string as String: .text(ExactString(string))
        default: (value as? AnyHashable).map(Part.other)
        }
    }
}

/// Whether values of an attribute are the same for a store.
enum StoredEquality {
    static func areEqual(_ left: Any?, _ right: Any?, of attribute: NSAttributeDescription) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        switch attribute.attributeType {
        case .compositeAttributeType: return text(left, attribute) == text(right, attribute)
        case .transformableAttributeType:
            // The elements would be equal if they were true and 1.
            return ExactString(JSONText.string(of: AttributeCoding.json(left, of: attribute)))
                == ExactString(JSONText.string(of: AttributeCoding.json(right, of: attribute)))
        default:
            guard let left = StoredKey([left]), let right = StoredKey([right]) else { return false }
            return left == right
        }
    }

    /// The JSON of a composite, without the elements that have no value.
    private static func text(_ value: Any, _ attribute: NSAttributeDescription) -> ExactString {
        ExactString(JSONText.string(of: withoutNull(AttributeCoding.json(value, of: attribute))))
    }

    private static func withoutNull(_ json: JSONValue) -> JSONValue {
        guard case .object(let members) = json else { return json }
        return .object(
            members.compactMap { member in
                member.value == .null ? nil : JSONMember(key: member.key, value: withoutNull(member.value))
            })
    }
}
