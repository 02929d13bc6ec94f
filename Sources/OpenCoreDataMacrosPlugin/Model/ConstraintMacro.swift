#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// A declaration that makes nothing: `@Model` reads it.
protocol ConstraintMacro: DeclarationMacro {}

extension ConstraintMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let owner = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        if owner?.attributes.attribute("Model") == nil {
            context.diagnose(
                MacroProblem(
                    "#\(node.macroName.text) has no effect here: it belongs in a class with @Model.",
                    "noModel", at: node
                ).diagnostic)
        }
        return []
    }
}

/// `#Unique`.
enum UniqueMacro: ConstraintMacro {}
/// `#Index`.
enum IndexMacro: ConstraintMacro {}
#endif
