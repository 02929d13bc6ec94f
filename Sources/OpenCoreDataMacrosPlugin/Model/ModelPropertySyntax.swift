#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property of a class with `@Model`.
struct ModelPropertySyntax {
    let name: String
    /// The name as source refers to it, with backticks where it has them.
    let reference: String
    let initial: ExprSyntax?
    let isOptional: Bool
    /// Whether the type is written as an array, optional or not: one that may be changed in place.
    let isArray: Bool
    let attribute: AttributeSyntax?
    let relationship: AttributeSyntax?
    /// Whether an initializer sets it before that of the superclass.
    var isSetEarly = false

    enum Reading {
        case leftAlone
        case wrong(MacroProblem)
        case persisted(ModelPropertySyntax)
    }

    static func read(_ variable: VariableDeclSyntax) -> Reading {
        guard variable.isStoredInInstance, variable.attributes.attribute("Transient") == nil,
            variable.modifier(.override, .lazy) == nil, !variable.isOfMacro
        else { return .leftAlone }
        if let problem = ModelPropertyCheck.problem(of: variable) { return .wrong(problem) }
        guard let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
        else { return .leftAlone }
        let type = binding.typeAnnotation?.type
        return .persisted(
            ModelPropertySyntax(
                name: pattern.identifier.text.filter { $0 != "`" }, reference: pattern.identifier.text,
                initial: binding.initializer?.value.trimmed,
                isOptional: type.map { ManagedTypeSyntax($0).isOptional } ?? false,
                isArray: type.map { isArray(ManagedTypeSyntax($0).wrapped) } ?? false,
                attribute: variable.attributes.attribute("Attribute"),
                relationship: variable.attributes.attribute("Relationship")))
    }

    private static func isArray(_ type: TypeSyntax) -> Bool {
        type.is(ArrayTypeSyntax.self) || type.as(IdentifierTypeSyntax.self)?.name.text == "Array"
    }

    /// The name of the static property that the accessors use.
    var slotName: String { "_$\(name)" }

    /// The name of the stored property that tells the compiler whether the property is set.
    var markName: String { "_$mark_\(name)" }

    /// The function that makes the slot: options change how values are kept.
    var slotFunction: String {
        let marks = MarkArguments(attribute)
        if marks.option("transformable") != nil { return "_transformableSlot" }
        if marks.option("codable") != nil { return "_codableSlot" }
        return marks.option("ephemeral") != nil ? "_ephemeralSlot" : "_slot"
    }

    /// What the schema is made of.
    func metadata(of owner: String) -> String {
        let path = "\\\(owner).\(reference)"
        var arguments = ["name: \"\(name)\"", "keypath: \(path)"]
        if let initial { arguments.append("defaultValue: SwiftData._initial(\(path), \(initial))") }
        if let relationship {
            arguments.append("metadata: SwiftData.Schema.Relationship(\(source(of: relationship)))")
        } else if let attribute {
            arguments.append("metadata: SwiftData.Schema.Attribute(\(source(of: attribute)))")
        }
        return "SwiftData.Schema.PropertyMetadata(\(arguments.joined(separator: ", ")))"
    }

    /// The code that gives a new object the initial value, or nil for a property without one.
    func initialization(of owner: String) -> String? {
        guard let initial else {
            return isOptional ? "\(owner).\(slotName)._begin(nil, in: storage)" : nil
        }
        return "\(owner).\(slotName)._begin(\(initial), in: storage)"
    }

    private func source(of mark: AttributeSyntax) -> String {
        MarkArguments(mark).source().joined(separator: ", ")
    }
}

extension VariableDeclSyntax {
    /// Whether the property is one that `@Model` makes itself.
    var isOfMacro: Bool {
        bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text.hasPrefix("_$") == true
    }
}

extension DeclModifierListSyntax {
    /// The access level as members of the same level begin; empty for internal.
    var accessPrefix: String {
        for modifier in self where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.open), .keyword(.public): return "public "
            case .keyword(.package): return "package "
            case .keyword(.private), .keyword(.fileprivate): return "fileprivate "
            default: break
            }
        }
        return ""
    }
}
#endif
