import Foundation
package import OpenCoreData

/// Predicates that name an enumeration, as a program writes them: `status == "done"`.
///
/// A store keeps an enumeration in the elements of a composite attribute, which is what the predicate has to ask.
package struct EnumerationPredicate {
    package let entity: NSEntityDescription

    package init(entity: NSEntityDescription) {
        self.entity = entity
    }

    /// The predicate, with enumerations replaced by their elements.
    ///
    /// - Throws: `ToolFailure` for a case that an enumeration does not have.
    package func replacing(_ predicate: NSPredicate) throws -> NSPredicate {
        if let compound = predicate as? NSCompoundPredicate {
            let parts = try compound.subpredicates.compactMap { $0 as? NSPredicate }.map(replacing)
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
        }
        guard let comparison = predicate as? NSComparisonPredicate,
            comparison.comparisonPredicateModifier == .direct, comparison.predicateOperatorType != .customSelector
        else { return predicate }
        if let path = cases(comparison.leftExpression), let values = Self.constants(comparison.rightExpression) {
            return try replacing(comparison, path: path, values: values)
        }
        return NSComparisonPredicate(
            leftExpression: replacing(comparison.leftExpression),
            rightExpression: replacing(comparison.rightExpression), modifier: .direct,
            type: comparison.predicateOperatorType, options: comparison.options)
    }

    /// The key path to what a store can compare: for an enumeration with raw values the element that holds them.
    package func replacing(keyPath: String) -> String {
        guard let composite = composite(at: keyPath), case .rawValues(let element) = CompositeShape(of: composite)
        else {
            return keyPath
        }
        return "\(keyPath).\(element.name)"
    }

    private func replacing(_ expression: NSExpression) -> NSExpression {
        guard expression.expressionType == .keyPath else { return expression }
        let keyPath = replacing(keyPath: expression.keyPath)
        return keyPath == expression.keyPath ? expression : NSExpression(forKeyPath: keyPath)
    }

    // MARK: Enumerations without raw values

    private struct Cases {
        var keyPath: String
        var names: [String]

        /// Whether a case is chosen, or with nil that none is.
        func condition(_ name: String?) -> NSPredicate {
            let chosen = name.map { [$0] } ?? names
            return NSCompoundPredicate(
                andPredicateWithSubpredicates: chosen.map { element in
                    NSComparisonPredicate(
                        leftExpression: NSExpression(forKeyPath: "\(keyPath).\(element)"),
                        rightExpression: NSExpression(forConstantValue: name), modifier: .direct, type: .equalTo)
                })
        }
    }

    private func cases(_ expression: NSExpression) -> Cases? {
        guard expression.expressionType == .keyPath, let composite = composite(at: expression.keyPath),
            case .cases(let names) = CompositeShape(of: composite)
        else { return nil }
        return Cases(keyPath: expression.keyPath, names: names)
    }

    private func replacing(
        _ comparison: NSComparisonPredicate, path: Cases, values: [String?]
    ) throws -> NSPredicate {
        for case let name? in values where !path.names.contains(name) {
            throw ToolFailure(
                "\(name) is not a case of the enumeration \(path.keyPath); it has \(StoreSession.listed(path.names)).")
        }
        let isOne = NSCompoundPredicate(orPredicateWithSubpredicates: values.map(path.condition))
        switch comparison.predicateOperatorType {
        case .equalTo, .in: return isOne
        case .notEqualTo: return NSCompoundPredicate(notPredicateWithSubpredicate: isOne)
        default:
            throw ToolFailure(
                "The enumeration \(path.keyPath) has no raw values; it can be compared with ==, != and IN.")
        }
    }

    /// The constants of an expression; nil for another expression.
    private static func constants(_ expression: NSExpression) -> [String?]? {
        switch expression.expressionType {
        case .constantValue:
            switch expression.constantValue {
            case nil, is NSNull: return [nil]
            case let string as String: return [string]
            case let list as [Any]: return list.map { $0 as? String }
            default: return nil
            }
        case .aggregate:
            return (expression.collection as? [Any])?.map { element in
                (element as? NSExpression).map { $0.constantValue as? String } ?? element as? String
            }
        default: return nil
        }
    }

    private func composite(at keyPath: String) -> NSCompositeAttributeDescription? {
        var current: NSEntityDescription? = entity
        let keys = keyPath.split(separator: ".").map(String.init)
        for key in keys.dropLast() { current = current?.relationshipsByName[key]?.destinationEntity }
        return keys.last.flatMap { current?.attributesByName[$0] } as? NSCompositeAttributeDescription
    }
}
