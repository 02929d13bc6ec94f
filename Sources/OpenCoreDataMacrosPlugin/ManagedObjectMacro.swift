#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ManagedObject`: the entity of a class.
enum ManagedObjectMacro: SourceMacro {}

extension ManagedObjectMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let problems = ClassCheck.problems(of: declaration, marked: node)
        for problem in problems { context.diagnose(problem.diagnostic) }
        guard problems.isEmpty, let owner = declaration.as(ClassDeclSyntax.self) else { return [] }
        var properties: [ManagedPropertySyntax] = []
        for variable in declaration.storedVariables {
            switch ManagedPropertySyntax.read(variable) {
            case .leftAlone: break
            case .wrong(let problems): for problem in problems { context.diagnose(problem.diagnostic) }
            case .managed(let property): properties.append(property)
            }
        }
        let entity = EntitySyntax(owner: owner, mark: node, properties: properties, isRoot: !protocols.isEmpty)
        return (properties.map(\.slotDeclaration) + entity.declarations).map(DeclSyntax.init(source:))
    }
}

extension ManagedObjectMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard ClassCheck.problems(of: declaration, marked: node).isEmpty,
            let variable = member.as(VariableDeclSyntax.self),
            case .managed = ManagedPropertySyntax.read(variable)
        else { return [] }
        return [AttributeSyntax(named: "_ManagedProperty")]
    }
}

extension ManagedObjectMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard !protocols.isEmpty, ClassCheck.problems(of: declaration, marked: node).isEmpty else { return [] }
        return [ExtensionDeclSyntax(of: type, to: "ManagedObjectModeling")]
    }
}
#endif
