import Foundation
package import OpenCoreData

/// What can be wrong with an attribute.
package struct AttributeRules {
    package let model: CheckedModel
    package let entity: CheckedEntity
    package let attribute: CheckedProperty
    package let isSource: Bool

    /// The transformers that make any class of the bytes they read.
    private static let insecureTransformers: Set<String> = [
        "NSKeyedUnarchiveFromData", "NSUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSUnarchiveFromDataTransformerName",
    ]

    package func findings() -> [ModelFinding] {
        guard let type = attribute.type else {
            return [finding(.error, "type", "The type \(attribute.typeName) is not known.")]
        }
        return typeFindings(type) + transformer(type) + scalar(type) + derivation()
            + ValueRules(attribute: attribute, type: type).problems().map { finding($0.severity, $0.rule, $0.message) }
    }

    private func finding(_ severity: ModelFinding.Severity, _ rule: String, _ message: String) -> ModelFinding {
        ModelFinding(
            severity: severity, rule: rule, entity: entity.name, property: attribute.name, line: attribute.line,
            message: message)
    }

    private func typeFindings(_ type: NSAttributeType) -> [ModelFinding] {
        switch type {
        case .undefinedAttributeType where !attribute.isTransient:
            return [finding(.error, "type", "The attribute must have a type, unless it is transient.")]
        case .objectIDAttributeType where !attribute.isTransient:
            return [finding(.error, "type", "An object ID can't be stored, so the attribute must be transient.")]
        case .compositeAttributeType:
            let name = attribute.element.string("composite")
            guard name.map(model.composites.contains) != true else { return [] }
            return [
                finding(.error, "composite", "The composite type \(name ?? "") is not in the model.")
            ]
        default:
            guard attribute.element.flag("allowsExternalBinaryDataStorage"), type != .binaryDataAttributeType else {
                return []
            }
            return [finding(.note, "external-storage", "Only binary data can use external storage.")]
        }
    }

    private func transformer(_ type: NSAttributeType) -> [ModelFinding] {
        let name = attribute.element.string("valueTransformerName")
        guard type == .transformableAttributeType else {
            guard let name else { return [] }
            return [
                finding(.note, "transformer", "The value transformer \(name) has no effect on \(attribute.typeName).")
            ]
        }
        guard let name else {
            return [
                finding(
                    .warning, "transformer",
                    "The attribute has no value transformer; name NSSecureUnarchiveFromData or one derived from it.")
            ]
        }
        guard Self.insecureTransformers.contains(name) else { return [] }
        return [
            finding(
                .warning, "transformer",
                "The value transformer \(name) is not secure; name NSSecureUnarchiveFromData or one derived from it.")
        ]
    }

    private func scalar(_ type: NSAttributeType) -> [ModelFinding] {
        guard isSource, attribute.isOptional, attribute.element.flag("usesScalarValueType"), !attribute.isDerived,
            attribute.defaultString == nil, type.isNumber || type == .booleanAttributeType || type == .dateAttributeType
        else { return [] }
        return [
            finding(
                .note, "optional-scalar",
                "The attribute is optional and a scalar without a default: its property can't distinguish nil from 0.")
        ]
    }

    private func derivation() -> [ModelFinding] {
        guard attribute.isDerived else { return [] }
        guard let format = attribute.element.string("derivationExpression") else {
            return [finding(.error, "derivation", "The derived attribute has no expression.")]
        }
        let expression: NSExpression
        do {
            expression = try NSExpression(validatingFormat: format)
        } catch {
            return [
                finding(
                    .error, "derivation",
                    "The expression '\(format)' is not valid: \(Sentence.clause(of: error)).")
            ]
        }
        return KeyPaths.all(in: expression).compactMap { path in
            problem(ofKeyPath: path).map { finding(.error, "derivation", $0) }
        }
    }

    private func problem(ofKeyPath path: String) -> String? {
        var current = entity
        // An operator may stand before the attribute or after it.
        let parts = path.split(separator: ".").map(String.init).filter { !$0.hasPrefix("@") }
        for (index, part) in parts.enumerated() {
            guard let property = model.property(part, of: current) else {
                return "The expression names \(path), and \(current.name) has no property \(part)."
            }
            if property.isTransient { return "The expression names \(path), and \(part) is transient." }
            guard index + 1 < parts.count else { return nil }
            guard let next = model.entity(named: property.destination) else {
                // The elements of a composite are looked at by the store.
                return property.kind == .attribute && property.type != .compositeAttributeType
                    ? "The expression names \(path), and \(part) isn't a relationship." : nil
            }
            current = next
        }
        return nil
    }
}

extension NSAttributeType {
    /// Whether values are numbers and no truth values.
    package var isNumber: Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            true
        default: false
        }
    }

    package var isInteger: Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: true
        default: false
        }
    }
}
