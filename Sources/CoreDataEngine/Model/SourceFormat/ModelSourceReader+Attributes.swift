import Foundation

extension ModelSourceReader {
    /// - Parameter enclosing: the composite types that the attribute is an element of.
    func readAttribute(_ element: SourceElement, path: String, enclosing: [String]) throws -> NSAttributeDescription {
        try spendAttribute(element)
        let typeName = element.attributes["attributeType"] ?? "Undefined"
        guard let type = SourceValue.attributeType(named: typeName) else {
            throw failure(element, "of '\(path)' has the unknown type '\(typeName)'")
        }
        let attribute = try makeAttribute(element, type: type, path: path, enclosing: enclosing)
        try readCommon(element, into: attribute)
        attribute.isTransient = try bool(element, "transient")
        attribute.attributeType = type
        attribute.explicitValueClassName = element.attributes["customClassName"]
            .flatMap { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        attribute.valueTransformerName = element.attributes["valueTransformerName"]
        attribute.allowsExternalBinaryDataStorage = try bool(element, "allowsExternalBinaryDataStorage")
        attribute.preservesValueInHistoryOnDeletion = try bool(element, "preserveAfterDeletion")
        attribute.allowsCloudEncryption = try bool(element, "allowsCloudEncryption")
        attribute.defaultValue = defaultValue(element, type: type)
        let limits = SourceLimits(element: element, type: type)
        attribute.setValidation(predicates: limits.predicates, warnings: limits.warnings)
        return attribute
    }

    private func makeAttribute(_ element: SourceElement, type: NSAttributeType, path: String, enclosing: [String])
        throws
        -> NSAttributeDescription
    {
        if try bool(element, "derived") || element.attributes["derivationExpression"] != nil {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = try element.attributes["derivationExpression"].flatMap { format in
                format.isEmpty ? nil : try expression(format, element)
            }
            return derived
        }
        guard type == .compositeAttributeType else { return NSAttributeDescription() }
        let composite = NSCompositeAttributeDescription()
        guard let compositeName = element.attributes["composite"], let definition = self.composite(named: compositeName)
        else {
            throw failure(element, "of '\(path)' is of a composite type that the model does not define")
        }
        guard !enclosing.contains(compositeName) else {
            throw failure(element, "of '\(path)' is of the composite type '\(compositeName)', which contains itself")
        }
        composite.compositeName = compositeName
        composite.elements = try definition.children.filter { ["attribute", "compositeAttribute"].contains($0.name) }
            .map {
                try readAttribute($0, path: compositeName, enclosing: enclosing + [compositeName])
            }
        return composite
    }

    /// The default value, if it has the attribute's type: Xcode's compiler ignores defaults of another type.
    private func defaultValue(_ element: SourceElement, type: NSAttributeType) -> Any? {
        if type == .dateAttributeType, let string = element.attributes["defaultDateTimeInterval"] {
            return Double(string).map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        guard let string = element.attributes["defaultValueString"] else { return nil }
        if string.isEmpty, type != .stringAttributeType { return nil }
        return SourceValue.value(string, of: type)
    }
}

/// The limits of an attribute in the source of a model.
struct SourceLimits {
    let predicates: [NSPredicate]
    let warnings: [Any]

    /// What is no limit of the type is passed over.
    init(element: SourceElement, type: NSAttributeType) {
        let isDate = type == .dateAttributeType
        func limit(_ key: String) -> Any? { element.attributes[key].flatMap { Self.limit($0, type) } }
        let limits = ValidationLimits(
            type: type, least: limit(isDate ? "minDateTimeInterval" : "minValueString"),
            most: limit(isDate ? "maxDateTimeInterval" : "maxValueString"),
            pattern: element.attributes["regularExpressionString"].flatMap { $0.isEmpty ? nil : $0 })
        (predicates, warnings) = (limits.predicates, limits.warnings)
    }

    private static func limit(_ string: String, _ type: NSAttributeType) -> Any? {
        // Text has no number to begin with, and reads as 0.
        guard let first = string.first(where: { !$0.isWhitespace }), "+-.0123456789".contains(first) else { return nil }
        return SourceValue.value(string, of: type == .stringAttributeType ? .integer64AttributeType : type)
    }

    /// The limits that predicates represent, by the names of the source's attributes.
    ///
    /// - Throws: a `CocoaError` for a predicate that is no such limit.
    static func attributes(of attribute: NSAttributeDescription) throws -> [String: String] {
        var result: [String: String] = [:]
        for predicate in attribute.validationPredicates {
            guard let (key, string) = limit(predicate, type: attribute.attributeType) else {
                throw ModelError.unsupported(
                    "The validation predicate '\(predicate.predicateFormat)' of attribute '\(attribute.name)' "
                        + "cannot be written as model source, which has limits and patterns only.")
            }
            result[key] = string
        }
        return result
    }

    private static func limit(_ predicate: NSPredicate, type: NSAttributeType) -> (key: String, string: String)? {
        guard let comparison = predicate as? NSComparisonPredicate,
            case .constant(let constant?) = comparison.rightExpression.node,
            let string = SourceValue.string(constant, of: type == .stringAttributeType ? .integer64AttributeType : type)
        else { return nil }
        let isLength: Bool
        switch comparison.leftExpression.node {
        case .evaluatedObject: isLength = false
        case .keyPath("length"): isLength = true
        default: return nil
        }
        let isDate = type == .dateAttributeType
        switch comparison.predicateOperatorType {
        case .matches where !isLength: return ("regularExpressionString", string)
        case .greaterThanOrEqualTo where isLength == (type == .stringAttributeType):
            return (isDate ? "minDateTimeInterval" : "minValueString", string)
        case .lessThanOrEqualTo where isLength == (type == .stringAttributeType):
            return (isDate ? "maxDateTimeInterval" : "maxValueString", string)
        default: return nil
        }
    }
}
