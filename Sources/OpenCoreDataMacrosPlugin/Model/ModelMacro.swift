#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Model` of SwiftData: the entity of a class.
enum ModelMacro: SourceMacro {}

extension ModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let problems = ModelClassCheck.problems(of: declaration, marked: node)
        for problem in problems { context.diagnose(problem.diagnostic) }
        guard problems.isEmpty, let owner = declaration.as(ClassDeclSyntax.self) else { return [] }
        let early = EarlyAssignments.names(in: declaration)
        var properties: [ModelPropertySyntax] = []
        for variable in declaration.storedVariables {
            switch ModelPropertySyntax.read(variable) {
            case .leftAlone: break
            case .wrong(let problem): context.diagnose(problem.diagnostic)
            case .persisted(var property):
                property.isSetEarly = early.contains(property.name)
                if let warning = ModelPropertyCheck.warning(about: variable) {
                    context.diagnose(warning.diagnostic)
                }
                properties.append(property)
            }
        }
        return ModelSyntax(owner: owner, properties: properties, isRoot: !protocols.isEmpty).declarations.map(
            DeclSyntax.init(source:))
    }
}

extension ModelMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard ModelClassCheck.problems(of: declaration, marked: node).isEmpty,
            let variable = member.as(VariableDeclSyntax.self),
            case .persisted(let property) = ModelPropertySyntax.read(variable)
        else { return [] }
        let isSetEarly = EarlyAssignments.names(in: declaration).contains(property.name)
        return [AttributeSyntax(named: isSetEarly ? "_PropertySetEarly" : "_PersistedProperty")]
    }
}

extension ModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard !protocols.isEmpty, ModelClassCheck.problems(of: declaration, marked: node).isEmpty else { return [] }
        return [
            ExtensionDeclSyntax(of: type, to: "SwiftData.PersistentModel, Observable", isNonisolated: true)
        ]
    }
}
#endif
