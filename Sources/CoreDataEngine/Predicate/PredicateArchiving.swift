import Foundation

/// Archives predicates as their format strings.
enum PredicateArchiving {
    private static let key = "OCDPredicateFormat"
    /// Where the reason stands why there is no format string.
    private static let errorKey = "OCDPredicateArchivingError"

    static func encode(_ predicate: NSPredicate, with coder: NSCoder) {
        if let error = error(in: predicate) {
            // Foundation stops the program when an archiver gets an error, whatever its policy.
            coder.encode(NSString(string: (error as NSError).localizedDescription), forKey: errorKey)
        } else {
            coder.encode(NSString(string: predicate.predicateFormat), forKey: key)
        }
    }

    /// Why a predicate can't be archived.
    static func error(in predicate: NSPredicate) -> (any Error)? {
        if let error = predicate.formatError { return error }
        return obstacle(in: predicate).map { PredicateError.evaluation("A predicate with \($0) cannot be archived.") }
    }

    /// The predicate of an archive; `nil` if it is missing or its format string isn't valid.
    static func predicate(from coder: NSCoder) -> NSPredicate? {
        guard let format = coder.decodeObject(of: NSString.self, forKey: key) else { return nil }
        let predicate = PredicateFormatParser.predicate(String(format), arguments: [])
        return predicate.formatError == nil ? predicate : nil
    }

    /// What of a predicate has no text form, in words.
    private static func obstacle(in predicate: NSPredicate) -> String? {
        var found: String?
        PredicateWalk.visit(predicate) { part in
            switch part {
            case .predicate(let predicate): found = found ?? obstacle(predicate.node)
            case .expression(let expression): found = found ?? obstacle(expression.node)
            }
        }
        return found
    }

    private static func obstacle(_ node: NSPredicate.Node) -> String? {
        switch node {
        case .value, .comparison, .compound: nil
        case .block: "a block"
        case .after: "a position in an order"
        case .invalid: "a broken format string"
        case .custom: "a part of an own class"
        }
    }

    private static func obstacle(_ node: ExpressionNode) -> String? {
        switch node {
        case .constant(let value): hasFormat(value) ? nil : "a constant that has no text form"
        case .block: "a block"
        case .invalid: "a broken format string"
        case .custom: "a part of an own class"
        default: nil
        }
    }

    private static func hasFormat(_ value: Any?) -> Bool {
        switch PredicateValue(value) {
        case .object, .other: false
        case .collection(let elements): !(value is NSDictionary) && elements.allSatisfy(hasFormat)
        default: true
        }
    }
}
