package import Foundation

/// One value as a database stores it.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

// Not by `nil`: a missing value and NULL are different things, and `value != nil` has to mean the first.
extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}

extension SQLValue {
    /// The whole number that the value is.
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number that the value is, a whole one or another.
    package var number: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// The string that the value is.
    package var string: String? { if case .text(let string) = self { string } else { nil } }

    var isNaN: Bool {
        if case .real(let number) = self { number.isNaN } else { false }
    }
}
