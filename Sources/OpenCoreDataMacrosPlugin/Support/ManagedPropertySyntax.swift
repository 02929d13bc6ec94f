#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property that becomes a property of the entity.
struct ManagedPropertySyntax {
    let name: String
    let type: ManagedTypeSyntax
    let initial: DefaultExpression?
    let attribute: AttributeSyntax?
    let relationship: AttributeSyntax?

    enum Reading {
        case leftAlone
        case wrong([MacroProblem])
        case managed(ManagedPropertySyntax)
    }

    /// Reads a variable of a class, and finds what is wrong with it.
    static func read(_ variable: VariableDeclSyntax) -> Reading {
        guard variable.isStoredInInstance, variable.attributes.attribute("Transient") == nil,
            variable.modifier(.override) == nil
        else { return .leftAlone }
        if let problem = PropertyCheck.problem(of: variable) { return .wrong([problem]) }
        guard let binding = variable.bindings.first, let type = binding.typeAnnotation?.type,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return .leftAlone }
        let property = ManagedPropertySyntax(
            name: pattern.identifier.text.filter { $0 != "`" }, type: ManagedTypeSyntax(type),
            initial: binding.initializer.map { DefaultExpression(expression: $0.value.trimmed) },
            attribute: variable.attributes.attribute("Attribute"),
            relationship: variable.attributes.attribute("Relationship"))
        let problems = PropertyMarkCheck(property: property, variable: variable, binding: binding).problems
        return problems.isEmpty ? .managed(property) : .wrong(problems)
    }

    /// The name of the static property that the accessors use.
    var slotName: String { "_\(name)Property" }

    /// Whether the store computes the value, so that it can't be set.
    var isDerived: Bool { MarkArguments(attribute).option("derived") != nil }

    private var typeSource: String { type.wrapped.trimmedDescription + (type.isOptional ? "?" : "") }

    /// The initial value, unless it says nothing.
    private var givenDefault: DefaultExpression? { relationship == nil && initial?.isNil != true ? initial : nil }

    /// Whether new objects have a value that is made for each of them.
    var hasFreshDefault: Bool { givenDefault?.isConstant == false }

    // MARK: Source

    /// The static property that the accessors use.
    var slotDeclaration: String {
        "private static let \(slotName) = PropertyAccess.\(slotCall)"
    }

    private var slotCall: String {
        let arguments = "\"\(name)\", of: \(typeSource).self"
        if let option = MarkArguments(attribute).option("transformable") {
            let call = option.as(FunctionCallExprSyntax.self)?.arguments.trimmedDescription
            return "transformable(\(arguments)\(call.map { ", \($0)" } ?? ""))"
        }
        guard !type.isOptional, type.attributeName == nil, let givenDefault else { return "property(\(arguments))" }
        return "property(\(arguments), default: \(givenDefault.expression))"
    }

    /// What the entity says about the property.
    func blueprint(of className: String) -> String {
        let slot = "\(className).\(slotName)"
        if let relationship {
            return ".relationship(\(([slot] + relationshipArguments(relationship)).joined(separator: ", ")))"
        }
        var arguments = [slot]
        if let givenDefault {
            let value = givenDefault.expression.trimmedDescription
            arguments.append(
                "default: " + (givenDefault.isConstant ? ".constant(\(value))" : ".fresh { \(value) }"))
        }
        guard let attribute else { return ".property(\(arguments.joined(separator: ", ")))" }
        arguments += MarkArguments(attribute).source()
        return ".attribute(\(arguments.joined(separator: ", ")))"
    }

    /// The arguments of the mark in the order of the function; what the type says already is left out.
    private func relationshipArguments(_ mark: AttributeSyntax) -> [String] {
        let given = MarkArguments(mark)
        var arguments: [String] = []
        for label in ["deleteRule", "inverse", "optional", "minCount", "maxCount", "originalName", "hashModifier"] {
            guard let value = given.value(label) else { continue }
            let source = label == "inverse" ? Self.inverse(value) : value.trimmedDescription
            arguments.append("\(label): \(source)")
        }
        return arguments
    }

    private static func inverse(_ value: ExprSyntax) -> String {
        if value.is(NilLiteralExprSyntax.self) { return ".none" }
        guard let keyPath = value.as(KeyPathExprSyntax.self),
            let last = keyPath.components.last?.component.as(KeyPathPropertyComponentSyntax.self)
        else { return ".named(\(value.trimmed))" }
        return ".named(\"\(last.declName.baseName.text.filter { $0 != "`" })\")"
    }
}
#endif
