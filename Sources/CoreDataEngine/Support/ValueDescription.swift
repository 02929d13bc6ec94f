import Foundation

/// Values as strings, for descriptions and messages.
///
/// Foundation stops the program when it is to describe a date that is no number.
package enum ValueDescription {
    /// A value of any type as a string; of a collection, its elements.
    package static func string(of value: Any?) -> String {
        switch OptionalValue.flatten(value) {
        case nil: "nil"
        case let date as Date: string(of: date)
        case let array as [Any]: "[\(array.map { string(of: $0) }.joined(separator: ", "))]"
        case let set as Set<AnyHashable>: "{\(set.map { string(of: $0.base) }.sorted().joined(separator: ", "))}"
        case let dictionary as [AnyHashable: Any]: string(of: dictionary)
        // Structures and enumerations are described by what is in them.
        case let other?: holdsIndescribable(other) ? "\(type(of: other))" : "\(other)"
        }
    }

    /// Whether a date that is no number is somewhere in a value that Swift describes by its parts.
    private static func holdsIndescribable(_ value: Any, depth: Int = 8) -> Bool {
        if isIndescribable(value) { return true }
        let mirror = Mirror(reflecting: value)
        guard depth > 0, mirror.displayStyle != .class else { return false }
        return mirror.children.contains { holdsIndescribable($0.value, depth: depth - 1) }
    }

    /// A value for an error's user info, which Foundation describes without stopping the program; equal to the value as
    /// far as a cast can find out.
    static func describable(_ value: Any) -> Any {
        switch value {
        // The class describes what is no number, the structure traps.
        case let date as Date: date.timeIntervalSinceReferenceDate.isNaN ? date as NSDate : date
        case let url as URL: url.withoutSecrets
        case let array as [Any]: array.contains(where: isIndescribable) ? array.map(describable) : array
        case let dictionary as [AnyHashable: Any]:
            dictionary.values.contains(where: isIndescribable) ? dictionary.mapValues(describable) : value
        default: value
        }
    }

    private static func isIndescribable(_ value: Any) -> Bool {
        switch value {
        case let date as Date: date.timeIntervalSinceReferenceDate.isNaN
        case let url as URL: url.withoutSecrets != url
        case let array as [Any]: array.contains(where: isIndescribable)
        case let dictionary as [AnyHashable: Any]: dictionary.values.contains(where: isIndescribable)
        default: false
        }
    }

    static func string(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // What Foundation has no calendar for it describes as unavailable.
        guard abs(seconds) < 1e12 else { return "<\(seconds) seconds since 2001-01-01 00:00:00 +0000>" }
        return "\(date)"
    }

    private static func string(of dictionary: [AnyHashable: Any]) -> String {
        guard !dictionary.isEmpty else { return "[:]" }
        let lines = dictionary.map { "\(string(of: $0.key.base)): \(string(of: $0.value))" }
        return "[\(lines.sorted().joined(separator: ", "))]"
    }
}
