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
    var isNaN: Bool {
        if case .real(let number) = self { number.isNaN } else { false }
    }
}
