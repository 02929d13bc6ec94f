import OpenCoreDataKit

/// Decimal numbers as values of an attribute, whose type they need to have to be found and saved.
enum NumberKeys {
    case integers([Int64])
    case floats([Float])
    case doubles([Double])
    case decimals([Decimal])

    /// - Parameters:
    ///   - numbers: The numbers. They stay decimal if one of them can't be a value of the attribute, which saving reports.
    ///   - type: The type of the attribute.
    init(_ numbers: [Decimal], of type: NSAttributeType) {
        let keys: NumberKeys? =
            switch type {
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
                Self.converted(numbers).map(NumberKeys.integers)
            case .floatAttributeType: Self.converted(numbers).map(NumberKeys.floats)
            case .doubleAttributeType: Self.converted(numbers).map(NumberKeys.doubles)
            default: nil
            }
        self = keys ?? .decimals(numbers)
    }

    /// The first number as a key.
    var first: (any Hashable)? {
        switch self {
        case .integers(let keys): keys.first
        case .floats(let keys): keys.first
        case .doubles(let keys): keys.first
        case .decimals(let keys): keys.first
        }
    }

    /// Converts by the digits: the conversions of Foundation's numbers round more than once, and drop fractions.
    private static func converted<Number: LosslessStringConvertible>(_ numbers: [Decimal]) -> [Number]? {
        let keys = numbers.compactMap { Number($0.description) }
        return keys.count == numbers.count ? keys : nil
    }
}
