import Foundation

/// Makes numbers of one attribute type of those of another.
///
/// A number must stay the same number, so that a value which doesn't fit is found: an integer fits where it is in the
/// type's range, a Boolean value is 0 or 1, and a fraction fits a decimal, double or float that has the same shortest
/// decimal digits. Only a float becomes the double that it is in binary.
package struct NumberConversion {
    package let source: NSAttributeType
    package let destination: NSAttributeType

    /// Nil unless both are types of numbers.
    init?(from source: NSAttributeType, to destination: NSAttributeType) {
        guard Self.types.contains(source), Self.types.contains(destination) else { return nil }
        self.source = source
        self.destination = destination
    }

    private static let types: Set<NSAttributeType> = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
        .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
    ]

    /// A number in the form in which its type is stored.
    enum Number: Equatable {
        case integer(Int64)
        case floating(Double)
        case decimal(Decimal)
    }

    /// Returns the number of the new type, or nil if it doesn't fit.
    func convert(_ number: Number) -> Number? {
        switch destination {
        case .integer16AttributeType: integer(number, in: Int64(Int16.min)...Int64(Int16.max))
        case .integer32AttributeType: integer(number, in: Int64(Int32.min)...Int64(Int32.max))
        case .integer64AttributeType: integer(number, in: Int64.min...Int64.max)
        case .booleanAttributeType: integer(number, in: 0...1)
        case .doubleAttributeType: double(number).map { .floating($0) }
        case .floatAttributeType: float(number).map { .floating(Double($0)) }
        case .decimalAttributeType: decimal(number).map { .decimal($0) }
        default: nil
        }
    }

    private func integer(_ number: Number, in range: ClosedRange<Int64>) -> Number? {
        let integer: Int64? =
            switch number {
            case .integer(let value): value
            case .floating(let value): Int64(exactly: value)
            case .decimal(let value): Int64(value.description)
            }
        return integer.flatMap { range.contains($0) ? .integer($0) : nil }
    }

    private func double(_ number: Number) -> Double? {
        switch number {
        case .integer(let value): return Double(exactly: value)
        case .floating(let value): return value
        case .decimal(let value):
            guard let double = Double(value.description), Decimal(shortestStringOf: double) == value else { return nil }
            return double
        }
    }

    private func float(_ number: Number) -> Float? {
        switch number {
        case .integer(let value): return Float(exactly: value)
        case .floating(let value):
            let float = Float(value)
            guard value.isFinite else { return float }
            guard float.isFinite else { return nil }
            return Double(float) == value || Double(float.description) == value ? float : nil
        case .decimal(let value):
            guard let float = Float(value.description), float.isFinite,
                Decimal(shortestString: float.description) == value
            else { return nil }
            return float
        }
    }

    private func decimal(_ number: Number) -> Decimal? {
        switch number {
        case .integer(let value): return Decimal(value)
        case .floating(let value):
            guard value.isFinite else { return nil }
            let digits = source == .floatAttributeType ? Float(value).description : value.description
            guard let decimal = Decimal(shortestString: digits), Double(decimal.description) == Double(digits) else {
                return nil
            }
            return decimal
        case .decimal(let value): return value
        }
    }
}

extension NumberConversion {
    /// Converts a value as key-value coding returns it.
    ///
    /// - Returns: A number of the new type, or nil if the value doesn't fit.
    func convertValue(_ value: Any) -> NSNumber? {
        let number: Number? =
            switch source {
            case .decimalAttributeType: (value as? NSDecimalNumber).map { .decimal($0.decimalValue) }
            case .doubleAttributeType, .floatAttributeType: (value as? NSNumber).map { .floating($0.doubleValue) }
            default: (value as? NSNumber).map { .integer($0.int64Value) }
            }
        return number.flatMap(convert).map { number in
            switch number {
            case .integer(let value):
                destination == .booleanAttributeType ? NSNumber(value: value != 0) : NSNumber(value: value)
            case .floating(let value): NSNumber(value: value)
            case .decimal(let value): NSDecimalNumber(decimal: value)
            }
        }
    }
}
