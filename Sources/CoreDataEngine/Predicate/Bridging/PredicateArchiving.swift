import Foundation

/// Archives predicates as their format strings.
enum PredicateArchiving {
    private static let key = "OCDPredicateFormat"

    static func encode(_ predicate: NSPredicate, with coder: NSCoder) {
        if let reason = obstacle(in: predicate) {
            coder.failWithError(PredicateError.evaluation("A predicate with \(reason) cannot be archived."))
        } else {
            coder.encode(NSString(string: predicate.predicateFormat), forKey: key)
        }
    }

    /// The predicate of an archive; nil if there is none or its format string is not valid.
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
        case .invalid: "a broken format string"
        case .custom: "a part of an own class"
        }
    }

    private static func obstacle(_ node: ExpressionNode) -> String? {
        switch node {
        case .constant(let value): hasText(value) ? nil : "a constant that has no text form"
        case .block: "a block"
        case .invalid: "a broken format string"
        case .custom: "a part of an own class"
        default: nil
        }
    }

    private static func hasText(_ value: Any?) -> Bool {
        switch PredicateValue(value) {
        case .object, .other: false
        case .collection(let elements): !(value is NSDictionary) && elements.allSatisfy(hasText)
        default: true
        }
    }
}
