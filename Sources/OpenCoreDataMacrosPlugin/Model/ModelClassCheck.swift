#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What a declaration must be to be a model of SwiftData.
enum ModelClassCheck {
    static func problems(of declaration: some DeclGroupSyntax, marked node: AttributeSyntax) -> [MacroProblem] {
        guard let owner = declaration.as(ClassDeclSyntax.self) else { return [notAClass(declaration, node)] }
        if let generics = owner.genericParameterClause {
            return [MacroProblem("A class with @Model can't be generic.", "genericClass", at: generics)]
        }
        return []
    }

    private static func notAClass(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> MacroProblem {
        let sentence = "@Model belongs to a class."
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            return MacroProblem(sentence, "notAClass", at: node)
        }
        var changed = ClassDeclSyntax(
            attributes: structure.attributes, modifiers: structure.modifiers,
            classKeyword: .keyword(
                .class, leadingTrivia: structure.structKeyword.leadingTrivia,
                trailingTrivia: structure.structKeyword.trailingTrivia),
            name: structure.name, genericParameterClause: structure.genericParameterClause,
            inheritanceClause: structure.inheritanceClause, memberBlock: structure.memberBlock)
        changed.leadingTrivia = structure.leadingTrivia
        return MacroProblem(
            sentence, "notAClass", at: structure.structKeyword,
            fixIts: [.replacing(structure, by: changed, "make it a class")])
    }
}
#endif
