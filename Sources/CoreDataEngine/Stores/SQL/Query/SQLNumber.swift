package import Foundation

/// Numbers as SQL reads and writes them.
package enum SQLNumber {
    /// The shortest string that reads back as the same number, without an exponent where that is short enough.
    package static func string(of number: Double) -> String {
        if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 { return String(integer) }
        return number.description
    }

    /// A decimal as a number column keeps it: whole numbers as integers, others as the nearest double.
    package static func value(of decimal: Decimal) -> SQLValue {
        let digits = decimal.description
        if let integer = Int64(digits) { return .integer(integer) }
        return Double(digits).map { .real($0) } ?? .null
    }
}
