import Foundation

/// What a derived attribute is computed from, in the forms that Apple documents.
package struct Derivation {
    package enum Source {
        /// The time of the save.
        case now
        /// A property of the object itself.
        case own(property: String)
        /// An attribute of the object that a to-one relationship leads to.
        case related(relationship: String, attribute: String)
        /// The number of objects in a to-many relationship.
        case count(relationship: String)
        /// An aggregate of an attribute of the objects in a to-many relationship.
        case aggregate(function: String, relationship: String, attribute: String)
    }

    package var source: Source
    /// A function of one argument around the value.
    package var function: String?

    /// SQL functions for the functions of expressions.
    ///
    /// `upper` and `lower` know all letters on our connections, as they do in Apple's builds of SQLite. SQLite has no
    /// function for the canonical form.
    private static let functions = ["uppercase:": "UPPER", "lowercase:": "LOWER", "canonical:": "ocd_canonical"]
    private static let aggregates = ["@sum": "SUM", "@min": "MIN", "@max": "MAX", "@avg": "AVG"]
    private static let collectionFunctions = ["sum:": "SUM", "min:": "MIN", "max:": "MAX", "average:": "AVG"]

    /// Nil for an expression of another form.
    package init?(_ expression: NSExpression) {
        switch expression.expressionType {
        case .keyPath:
            guard let source = Self.source(ofKeyPath: expression.keyPath) else { return nil }
            self.source = source
        case .function:
            guard let parts = Self.parts(of: expression.function, expression.arguments ?? []) else { return nil }
            (source, function) = parts
        default: return nil
        }
    }

    private static func parts(of name: String, _ arguments: [NSExpression]) -> (Source, String?)? {
        if name == "now" || name == "now:" { return (.now, nil) }
        guard let argument = arguments.first, argument.expressionType == .keyPath else { return nil }
        let path = argument.keyPath.split(separator: ".").map(String.init)
        if name == "count:", path.count == 1 { return (.count(relationship: path[0]), nil) }
        if let function = collectionFunctions[name], path.count == 2 {
            return (.aggregate(function: function, relationship: path[0], attribute: path[1]), nil)
        }
        guard let function = functions[name], let source = source(ofKeyPath: argument.keyPath) else { return nil }
        return (source, function)
    }

    private static func source(ofKeyPath keyPath: String) -> Source? {
        let path = keyPath.split(separator: ".").map(String.init)
        switch path.count {
        case 1: return .own(property: path[0])
        case 2 where path[1] == "@count": return .count(relationship: path[0])
        case 2 where !path[1].hasPrefix("@"): return .related(relationship: path[0], attribute: path[1])
        case 3:
            // The operator may stand before the attribute or after it.
            let names = path.dropFirst().filter { !$0.hasPrefix("@") }
            guard names.count == 1, let sign = path.dropFirst().first(where: { $0.hasPrefix("@") }),
                let function = aggregates[sign]
            else { return nil }
            return .aggregate(function: function, relationship: path[0], attribute: names[0])
        default: return nil
        }
    }
}
