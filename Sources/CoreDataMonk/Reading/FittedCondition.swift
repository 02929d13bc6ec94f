import CoreDataPlatform
import OpenCoreDataKit

/// Makes a condition fit the entity that it is asked of.
///
/// Over a path without a to-many relationship there is one value, or none, so ANY and ALL mean nothing there. A value
/// of another kind than the attribute's is a mistake, which the engine would answer by finding nothing.
struct FittedCondition {
    private let layout: EntityLayout

    init(_ layout: EntityLayout) { self.layout = layout }

    /// The condition, fitted.
    ///
    /// - Throws: `DatabaseError.invalidQuery` for a value that can't be compared with its attribute.
    func fit(_ predicate: NSPredicate) throws -> NSPredicate {
        if let compound = predicate as? NSCompoundPredicate, type(of: compound) == NSCompoundPredicate.self {
            guard compound.formatError == nil else { return predicate }
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: try compound.subpredicates.compactMap { $0 as? NSPredicate }.map(fit))
        }
        guard let comparison = predicate as? NSComparisonPredicate, comparison.formatError == nil,
            type(of: comparison) == NSComparisonPredicate.self, comparison.leftExpression.expressionType == .keyPath
        else { return predicate }
        return try fit(comparison)
    }

    private func fit(_ comparison: NSComparisonPredicate) throws -> NSPredicate {
        let path = comparison.leftExpression.keyPath
        // What there is not is for the engine to report.
        guard let target = try? PropertyPath.target(of: path, from: layout) else { return comparison }
        if case .attribute(let attribute) = target, Self.ordering.contains(comparison.predicateOperatorType),
            comparison.rightExpression.expressionType == .constantValue
        {
            try check(comparison.rightExpression.constantValue, path, attribute)
        }
        guard comparison.comparisonPredicateModifier != .direct, !crossesToMany(path),
            comparison.predicateOperatorType != .customSelector
        else { return comparison }
        return NSComparisonPredicate(
            leftExpression: comparison.leftExpression, rightExpression: comparison.rightExpression, modifier: .direct,
            type: comparison.predicateOperatorType, options: comparison.options)
    }

    private func crossesToMany(_ path: String) -> Bool {
        var owner: EntityLayout? = layout
        for key in path.split(separator: ".").map(String.init) {
            let relationship = owner?.relationship(named: key)
            if relationship?.isToMany == true { return true }
            owner = relationship?.destination
        }
        return false
    }

    // MARK: Kinds of value

    private static let ordering: Set<NSComparisonPredicate.Operator> = [
        .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
    ]

    private enum Kind: String {
        case number, text, date, data, uuid, url
    }

    private func check(_ value: Any?, _ path: String, _ attribute: NSAttributeDescription) throws {
        guard let value, let found = Self.kind(of: value), let wanted = Self.kind(of: attribute) else { return }
        guard found != wanted else { return }
        let both: Set<Kind> = [found, wanted]
        // These have a form in common.
        if both == [.text, .url] || both == [.text, .uuid] || both == [.number, .date] { return }
        throw DatabaseError.invalidQuery(
            entity: layout.name,
            reason: "'\(path)' is a \(wanted.rawValue), which can't be compared with the \(found.rawValue) "
                + "\(ValueDescription.string(of: value)).")
    }

    private static func kind(of value: Any) -> Kind? {
        switch value {
        case is String: .text
        case is Date: .date
        case is Data: .data
        case is UUID: .uuid
        case is URL: .url
        case is NSNumber, is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is Decimal: .number
        default: nil
        }
    }

    private static func kind(of attribute: NSAttributeDescription) -> Kind? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .decimalAttributeType, .booleanAttributeType:
            .number
        case .stringAttributeType: .text
        case .dateAttributeType: .date
        case .binaryDataAttributeType: .data
        case .UUIDAttributeType: .uuid
        case .URIAttributeType: .url
        default: nil
        }
    }
}
