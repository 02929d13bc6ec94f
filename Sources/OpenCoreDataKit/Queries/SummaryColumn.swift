/// A column of a summary as the engine computes it.
struct SummaryColumn {
    let description: NSExpressionDescription
    /// Whether the column is a single value for each group, regardless of the grouping.
    let isComputed: Bool
    /// The property that a plain column is.
    let path: String?

    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` that names property and entity.
    init<T>(_ aggregate: Aggregate<T>, of layout: EntityLayout) throws {
        switch aggregate.content {
        case .impossible(let reason): throw Self.invalid(reason, layout)
        case .property(let path):
            description = Self.description(
                aggregate.name, NSExpression(forKeyPath: path), try Self.type(ofColumn: path, layout))
            isComputed = false
            self.path = path
        case .function(let function, let path):
            description = try Self.computed(function, path, aggregate.name, layout)
            isComputed = true
            self.path = nil
        case .expression(let given):
            description = try Self.completed(given, layout)
            isComputed = true
            path = nil
        }
    }

    /// The raw value of `NSAttributeType.compositeAttributeType`.
    private static let compositeType: UInt = 2_100

    static func invalid(_ reason: String, _ layout: EntityLayout) -> DatabaseError {
        .invalidQuery(entity: layout.name, reason: reason)
    }

    private static func description(_ name: String, _ expression: NSExpression, _ type: NSAttributeType)
        -> NSExpressionDescription
    {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        description.expressionResultType = type
        return description
    }

    // MARK: Functions

    private static func computed<T>(
        _ function: Aggregate<T>.Function, _ path: String?, _ name: String, _ layout: EntityLayout
    ) throws -> NSExpressionDescription {
        guard let path else {
            let counted = NSExpression(forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
            return description(name, counted, .integer64AttributeType)
        }
        let call = NSExpression(forFunction: function.functionName, arguments: [NSExpression(forKeyPath: path)])
        guard let type = try function.resultType(for: type(ofColumn: path, layout)) else {
            throw invalid("'\(path)' isn't a number, which \(function.rawValue) needs.", layout)
        }
        return description(name, call, type)
    }

    /// The type of the values at a path over to-ones.
    private static func type(ofColumn path: String, _ layout: EntityLayout) throws -> NSAttributeType {
        var owner: EntityLayout? = layout
        for key in path.split(separator: ".").map(String.init) {
            let relationship = owner?.relationship(named: key)
            if relationship?.isToMany == true {
                throw invalid(
                    "'\(path)' goes over the to-many relationship '\(key)', so it has no single value.", layout)
            }
            owner = relationship?.destination
        }
        switch try PropertyPath.target(of: path, from: layout) {
        case .toOne, .toMany: return .objectIDAttributeType
        case .attribute(let attribute):
            guard !attribute.isTransient else {
                throw invalid("'\(path)' is transient, so it isn't in the store.", layout)
            }
            let type = attribute.attributeType
            // The name of the type of composite attributes needs iOS 17.
            guard type != .transformableAttributeType, type.rawValue != Self.compositeType else {
                throw invalid("'\(path)' is transformable or composite, and can't be a column.", layout)
            }
            return type
        }
    }

    // MARK: Expressions

    private static func completed(_ given: NSExpressionDescription, _ layout: EntityLayout) throws
        -> NSExpressionDescription
    {
        guard let expression = given.expression else {
            throw invalid("The computed column '\(given.name)' has no expression.", layout)
        }
        guard given.expressionResultType == .undefinedAttributeType else { return given }
        guard let type = try derivedType(of: expression, layout) else {
            throw invalid(
                "The result type of the computed column '\(given.name)' is not set, and does not follow from "
                    + "\(expression).", layout)
        }
        return description(given.name, expression, type)
    }

    private static func derivedType(of expression: NSExpression, _ layout: EntityLayout) throws -> NSAttributeType? {
        switch expression.expressionType {
        case .evaluatedObject: return .objectIDAttributeType
        case .keyPath: return try type(ofColumn: expression.keyPath, layout)
        case .function:
            guard let function = AggregateFunction(functionName: expression.function),
                let argument = expression.arguments?.first, expression.arguments?.count == 1
            else { return nil }
            if function == .count { return .integer64AttributeType }
            guard argument.expressionType == .keyPath else { return nil }
            return try function.resultType(for: type(ofColumn: argument.keyPath, layout))
        default: return nil
        }
    }
}

/// The functions, which don't depend on the class.
private typealias AggregateFunction = Aggregate<NSManagedObject>.Function

extension Aggregate.Function {
    init?(functionName: String) {
        let all: [Self] = [.average, .sum, .minimum, .maximum, .median, .standardDeviation, .count]
        guard let found = all.first(where: { $0.functionName == functionName }) else { return nil }
        self = found
    }

    var functionName: String {
        switch self {
        case .average: "average:"
        case .sum: "sum:"
        case .minimum: "min:"
        case .maximum: "max:"
        case .median: "median:"
        case .standardDeviation: "stddev:"
        case .count: "count:"
        }
    }

    /// The type of the result for an attribute's type; `nil` when the function has none for it.
    func resultType(for type: NSAttributeType) -> NSAttributeType? {
        let isInteger =
            type == .integer16AttributeType || type == .integer32AttributeType || type == .integer64AttributeType
        let isNumber =
            isInteger || type == .doubleAttributeType || type == .floatAttributeType || type == .decimalAttributeType
        switch self {
        case .count: return .integer64AttributeType
        case .minimum, .maximum:
            return type == .objectIDAttributeType || type == .binaryDataAttributeType ? nil : type
        case .sum:
            guard isNumber else { return nil }
            return isInteger ? .integer64AttributeType : type == .decimalAttributeType ? type : .doubleAttributeType
        case .average: return isNumber ? type == .decimalAttributeType ? type : .doubleAttributeType : nil
        case .standardDeviation: return isNumber ? .doubleAttributeType : nil
        case .median:
            if isNumber { return type == .decimalAttributeType ? type : .doubleAttributeType }
            return type == .dateAttributeType || type == .stringAttributeType ? type : nil
        }
    }
}
