import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Arithmetic as predicates do it: integers stay integers while they fit, anything else is a double, and an undefined
/// result is `nil`.
package enum Arithmetic {
    package enum Operand: Sendable {
        case integer(Int64)
        case real(Double)

        var double: Double {
            switch self {
            case .integer(let value): Double(value)
            case .real(let value): value
            }
        }

        /// The value cut to an integer; nil if it does not fit.
        var integer: Int64? {
            switch self {
            case .integer(let value): value
            case .real(let value): Int64(exactly: value.rounded(.towardZero))
            }
        }
    }

    static func add(_ a: Operand?, _ b: Operand?) -> Any? {
        combine(a, b, { $0.addingReportingOverflow($1) }, +)
    }

    static func subtract(_ a: Operand?, _ b: Operand?) -> Any? {
        combine(a, b, { $0.subtractingReportingOverflow($1) }, -)
    }

    static func multiply(_ a: Operand?, _ b: Operand?) -> Any? {
        combine(a, b, { $0.multipliedReportingOverflow(by: $1) }, *)
    }

    static func divide(_ a: Operand?, _ b: Operand?) -> Any? {
        guard let a, let b, b.double != 0 else { return nil }
        return combine(a, b, { $0.dividedReportingOverflow(by: $1) }, /)
    }

    static func modulus(_ a: Operand?, _ b: Operand?) -> Any? {
        guard let a = a?.integer, let b = b?.integer, b != 0 else { return nil }
        return a.remainderReportingOverflow(dividingBy: b).partialValue
    }

    static func power(_ a: Operand?, _ b: Operand?) -> Any? {
        guard let a, let b else { return nil }
        return finite(pow(a.double, b.double))
    }

    static func bits(_ a: Operand?, _ b: Operand?, _ operation: (Int64, Int64) -> Int64) -> Any? {
        guard let a = a?.integer, let b = b?.integer else { return nil }
        return operation(a, b)
    }

    static func double(_ a: Operand?, _ operation: (Double) -> Double?) -> Any? {
        a.flatMap { operation($0.double) }.flatMap(finite)
    }

    static func rounded(_ a: Operand?, _ rule: FloatingPointRoundingRule) -> Any? {
        switch a {
        case nil: nil
        case .integer(let value): value
        case .real(let value): value.rounded(rule)
        }
    }

    static func magnitude(_ a: Operand?) -> Any? {
        switch a {
        case nil: nil
        case .integer(let value): value == .min ? Double(value).magnitude : abs(value)
        case .real(let value): value.magnitude
        }
    }

    private static func combine(
        _ a: Operand?, _ b: Operand?, _ exact: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ real: (Double, Double) -> Double
    ) -> Any? {
        guard let a, let b else { return nil }
        if case .integer(let x) = a, case .integer(let y) = b {
            let (value, overflow) = exact(x, y)
            if !overflow { return value }
        }
        return finite(real(a.double, b.double))
    }

    /// Not-a-number counts as no result; SQL has none either.
    private static func finite(_ value: Double) -> Double? { value.isNaN ? nil : value }
}
