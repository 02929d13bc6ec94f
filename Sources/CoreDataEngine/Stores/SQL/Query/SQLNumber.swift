package import Foundation

/// Numbers as SQL reads and writes them.
package enum SQLNumber {
    /// The shortest text that reads back as the same number, without an exponent where that is short enough.
    package static func text(of number: Double) -> String {
        if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 { return String(integer) }
        return number.description
    }

    /// A decimal as a number column keeps it: whole numbers as integers, others as the nearest double.
    package static func value(of decimal: Decimal) -> SQLValue {
        let text = decimal.description
        if let integer = Int64(text) { return .integer(integer) }
        return Double(text).map { .real($0) } ?? .null
    }
}
