#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// Where `@Attribute`, `@Relationship` and `@Transient` may stand.
enum MarkCheck {
    static func run(
        _ node: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) {
        let mark = "@\(node.attributeName.trimmedDescription)"
        let owner = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        guard let variable = declaration.as(VariableDeclSyntax.self), variable.isStoredInInstance else {
            context.diagnose(
                MacroProblem("\(mark) belongs to a stored property.", "notStored", at: node).diagnostic)
            return
        }
        guard owner?.attributes.attribute("ManagedObject") == nil, owner?.attributes.attribute("Model") == nil
        else { return }
        context.diagnose(
            MacroProblem(
                "\(mark) has no effect here: the class of the property has no @ManagedObject.", "noManagedObject",
                at: node
            ).diagnostic)
    }
}
#endif
