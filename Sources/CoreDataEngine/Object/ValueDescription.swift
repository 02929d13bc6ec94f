import Foundation

/// Values as text, for descriptions and messages.
///
/// Foundation stops the program when it is to describe a date that is no number.
package enum ValueDescription {
    /// The text of a value of any type; of a collection, those of its elements.
    package static func text(of value: Any?) -> String {
        switch OptionalValue.flatten(value) {
        case nil: "nil"
        case let date as Date: text(of: date)
        case let array as [Any]: "[\(array.map { text(of: $0) }.joined(separator: ", "))]"
        case let dictionary as [AnyHashable: Any]: text(of: dictionary)
        case let other?: "\(other)"
        }
    }

    private static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // What Foundation has no calendar for it describes as unavailable.
        guard abs(seconds) < 1e12 else { return "<\(seconds) seconds since 2001-01-01 00:00:00 +0000>" }
        return "\(date)"
    }

    private static func text(of dictionary: [AnyHashable: Any]) -> String {
        guard !dictionary.isEmpty else { return "[:]" }
        let lines = dictionary.map { "\(text(of: $0.key.base)): \(text(of: $0.value))" }
        return "[\(lines.sorted().joined(separator: ", "))]"
    }
}
