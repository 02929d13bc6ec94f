#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@_ManagedProperty`: accessors that read and write the property through its slot.
enum ManagedPropertyMacro: AccessorMacro, SourceMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            case .managed(let property) = ManagedPropertySyntax.read(variable)
        else { return [] }
        let owner = context.lexicalContext.lazy.compactMap { $0.as(ClassDeclSyntax.self) }.first
        let slot = "\(owner?.name.text ?? "Self").\(property.slotName)"
        let getter = "get { self[\(slot)] }"
        let accessors = property.isDerived ? [getter] : [getter, "set { self[\(slot)] = newValue }"]
        return accessors.map(AccessorDeclSyntax.init(source:))
    }
}
#endif
