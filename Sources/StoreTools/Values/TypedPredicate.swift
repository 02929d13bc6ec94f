import Foundation
package import OpenCoreData

/// Predicates as a user types them: constants are read by the type of the property that they are compared with.
///
/// `published > "2010-01-01"` compares dates, `price > "30"` numbers, and `objectID == "Book/p2"` names an object.
package struct TypedPredicate {
    let entity: NSEntityDescription
    private let object: (String) throws -> NSManagedObjectID?
    /// The entities of the variables of subqueries.
    private(set) var variables: [String: NSEntityDescription] = [:]

    /// - Parameter object: Finds the identifier that a string names; nil where it names none.
    package init(entity: NSEntityDescription, object: @escaping (String) throws -> NSManagedObjectID?) {
        self.entity = entity
        self.object = object
    }

    /// What a constant is compared with.
    enum Side {
        case attribute(NSAttributeDescription, path: String)
        /// What a collection operator or a function gives.
        case number(path: String)
        case date(path: String)
        case object(path: String)
    }

    /// The predicate with its constants converted to the properties' types.
    ///
    /// - Throws: `ToolFailure` for an unknown key path, and for a constant that can't be converted.
    package func replacing(_ predicate: NSPredicate) throws -> NSPredicate {
        if let compound = predicate as? NSCompoundPredicate {
            let parts = try compound.subpredicates.compactMap { $0 as? NSPredicate }.map(replacing)
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
        }
        guard let comparison = predicate as? NSComparisonPredicate,
            comparison.predicateOperatorType != .customSelector
        else { return predicate }
        let left = try replacingPredicates(of: comparison.leftExpression)
        let right = try replacingPredicates(of: comparison.rightExpression)
        let (leftSide, rightSide) = (try side(left), try side(right))
        return NSComparisonPredicate(
            leftExpression: try expression(left, leftSide, comparedWith: rightSide, comparison.predicateOperatorType),
            rightExpression: try expression(right, rightSide, comparedWith: leftSide, comparison.predicateOperatorType),
            modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
            options: comparison.options)
    }

    /// The expression, with the constants in the predicates of its subqueries and conditions read.
    private func replacingPredicates(of expression: NSExpression) throws -> NSExpression {
        switch expression.node {
        case .subquery(let collection, let variable, let predicate):
            guard let element = try elementEntity(of: collection) else { return expression }
            var inner = self
            inner.variables[variable] = element
            return NSExpression(
                forSubquery: try replacingPredicates(of: collection), usingIteratorVariable: variable,
                predicate: try inner.replacing(predicate))
        case .conditional(let condition, let first, let second):
            return NSExpression(
                forConditional: try replacing(condition), trueExpression: try replacingPredicates(of: first),
                falseExpression: try replacingPredicates(of: second))
        case .operandKeyPath(let operand, let path):
            return NSExpression(node: .operandKeyPath(try replacingPredicates(of: operand), path))
        case .function(let name, let arguments):
            return NSExpression(node: .function(name, try arguments.map(replacingPredicates)))
        default: return expression
        }
    }

    // MARK: Constants

    private func expression(
        _ expression: NSExpression, _ own: Side?, comparedWith side: Side?, _ type: NSComparisonPredicate.Operator
    ) throws -> NSExpression {
        if case .object(let path)? = own {
            // The engine compares objects with themselves, not with a property named objectID.
            guard path == "objectID" else { return expression }
            return NSExpression.expressionForEvaluatedObject()
        }
        guard own == nil, let side else { return expression }
        switch type {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .in, .between:
            break
        case .contains where isRead(expression, containing: side): break
        case .contains, .beginsWith, .endsWith, .like, .matches:
            try checkStrings(side, type)
            return expression
        default: return expression
        }
        switch expression.expressionType {
        case .constantValue:
            if let list = expression.constantValue as? [Any] {
                return NSExpression(forConstantValue: try list.map { try value($0, side) ?? NSNull() })
            }
            return NSExpression(forConstantValue: try value(expression.constantValue, side))
        case .aggregate:
            guard let parts = expression.collection as? [NSExpression] else { return expression }
            return NSExpression(
                forAggregate: try parts.map { try self.expression($0, nil, comparedWith: side, .equalTo) })
        default: return expression
        }
    }

    /// Whether CONTAINS asks for an element, of a list or of a relationship, and not for a part of a string.
    private func isRead(_ expression: NSExpression, containing side: Side) -> Bool {
        if case .object = side { return true }
        return expression.expressionType == .aggregate || expression.rawConstant is [Any]
    }

    /// Refuses an operator of strings for what never is one.
    private func checkStrings(_ side: Side, _ type: NSComparisonPredicate.Operator) throws {
        let (path, kind): (String, String)
        switch side {
        case .attribute(let attribute, let own):
            switch attribute.attributeType {
            case .dateAttributeType, .booleanAttributeType, .binaryDataAttributeType:
                (path, kind) = (own, AttributeCoding.kind(of: attribute))
            default: return
            }
        case .date(let own): (path, kind) = (own, "a date")
        case .object(let own): (path, kind) = (own, "an object")
        case .number: return
        }
        throw ToolFailure("\(path) is \(kind), and \(PredicateFormatPrinter.symbol(type)) needs a string.")
    }

    private func value(_ constant: Any?, _ side: Side) throws -> Any? {
        guard let constant, !(constant is NSNull) else { return constant }
        switch side {
        case .object(let path):
            guard let string = constant as? String else { return constant }
            guard let id = try object(string) else {
                throw ToolFailure(
                    "\"\(string)\" isn't the name of an object, such as Entity/p12, which \(path) is compared with."
                )
            }
            return id
        case .number(let path):
            guard let string = constant as? String else { return constant }
            guard let number = Double(string) else { throw refusal(constant, path, "a number") }
            return NSNumber(value: number)
        case .date(let path):
            guard let string = constant as? String else { return constant }
            guard let date = Self.date(string) else {
                throw refusal(constant, path, "a date such as 2024-05-01T12:30:00.000Z")
            }
            return date
        case .attribute(let attribute, let path):
            guard let value = Self.value(constant, of: attribute) else {
                throw refusal(constant, path, AttributeCoding.kind(of: attribute))
            }
            return value
        }
    }

    /// The constant as a value of the attribute's type; `nil` if it can't be converted.
    private static func value(_ constant: Any, of attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .stringAttributeType:
            if constant is String { return constant }
            return (constant as? NSNumber).map(\.stringValue)
        case .dateAttributeType:
            if constant is Date { return constant }
            return (constant as? String).flatMap(date)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .decimalAttributeType:
            if attribute.attributeType == .floatAttributeType { return float(constant) }
            if constant is NSNumber { return constant }
            guard let string = constant as? String else { return nil }
            if let number = Int64(string) { return NSNumber(value: number) }
            if attribute.attributeType == .decimalAttributeType { return AttributeCoding.decimal(string) }
            return Double(string).map(NSNumber.init(value:))
        case .booleanAttributeType:
            if constant is NSNumber { return constant }
            return (constant as? String).flatMap(CommandLineValue.flag).map(NSNumber.init(value:))
        case .UUIDAttributeType:
            return constant as? UUID ?? (constant as? String).flatMap(UUID.init(uuidString:))
        case .URIAttributeType:
            return constant as? URL ?? (constant as? String).flatMap { URL(string: $0) }
        case .binaryDataAttributeType:
            return constant as? Data ?? (constant as? String).flatMap { Data(base64Encoded: $0) }
        default: return constant
        }
    }

    /// The nearest number of 32 bits, which is what the store keeps of 0.1.
    private static func float(_ constant: Any) -> NSNumber? {
        guard let number = (constant as? NSNumber)?.doubleValue ?? (constant as? String).flatMap(Double.init) else {
            return nil
        }
        let float = Float(number)
        return float.isFinite ? NSNumber(value: float) : NSNumber(value: number)
    }

    /// ISO 8601, also with fewer parts than `ISODate` has: `2010`, `2010-05`, `2010-05-01 12:30`.
    private static func date(_ string: String) -> Date? {
        if let date = AttributeCoding.date(string) { return date }
        let spaced = string.replacingOccurrences(of: " ", with: "T")
        for candidate in [
            string + "-01-01", string + "-01", spaced, spaced + "Z", spaced + ":00Z",
        ] {
            if let date = ISODate.date(from: candidate) { return date }
        }
        return nil
    }

    private func refusal(_ constant: Any, _ path: String, _ kind: String) -> ToolFailure {
        let string = constant is String ? "\"\(constant)\"" : ValueDescription.string(of: constant)
        return ToolFailure("\(string) cannot be compared with \(path), which is \(kind).")
    }
}

extension StoreSession {
    /// The longest format that an error quotes whole.
    private static let longestQuote = 300

    private func parsed(_ format: String) throws -> NSPredicate {
        do {
            return try NSPredicate(validatingFormat: format)
        } catch {
            let hint = PredicateHint.sentence(forUnreadable: format)
            guard format.count > Self.longestQuote || hint != nil else { throw error }
            let sentence = Sentence.string(of: error)
            let short =
                format.count > Self.longestQuote
                ? sentence.replacingOccurrences(of: format, with: format.prefix(Self.longestQuote / 3) + "…") : sentence
            throw ToolFailure(hint.map { "\(short) \($0)" } ?? short, cause: error)
        }
    }

    /// A predicate for objects of an entity, as a user types it.
    ///
    /// - Throws: When the format can't be read, or doesn't fit the entity.
    package func predicate(_ format: String, for entity: NSEntityDescription) throws -> NSPredicate {
        let parsed = try parsed(format)
        let predicate = try EnumerationPredicate(entity: entity).replacing(parsed)
        return try TypedPredicate(entity: entity) { name in
            if let id = objectID(named: name) { return id }
            if let failure = unknownObject(name) { throw failure }
            return nil
        }.replacing(predicate)
    }
}
