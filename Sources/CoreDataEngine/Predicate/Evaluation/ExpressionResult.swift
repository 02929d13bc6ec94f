import Foundation

/// What applications are given for the values that predicates compute with.
package enum ExpressionResult {
    /// A value as an object, if it is a number: as with Apple's framework `as? Int`, `as? Bool` and `as? Double` all succeed
    /// for a number that fits. Lists are lists of such values.
    package static func object(for value: Any?) -> Any? {
        guard let value else { return nil }
        if type(of: value) is AnyClass { return value }
        switch value {
        case is String: return value
        case let flag as Bool: return NSNumber(value: flag)
        case let number as Int: return NSNumber(value: number)
        case let number as Int64: return NSNumber(value: number)
        case let number as Double: return NSNumber(value: number)
        case let number as Float: return NSNumber(value: number)
        case let number as Decimal: return NSDecimalNumber(decimal: number)
        case let number as UInt64: return NSNumber(value: number)
        case let number as any BinaryInteger: return Int64(exactly: number).map { NSNumber(value: $0) } ?? value
        case let elements as [Any?]: return elements.map { object(for: $0) ?? NSNull() }
        default: return value
        }
    }
}
