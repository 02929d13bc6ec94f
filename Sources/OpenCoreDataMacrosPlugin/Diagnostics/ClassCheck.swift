#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What a declaration must be to have an entity.
enum ClassCheck {
    static func problems(of declaration: some DeclGroupSyntax, marked node: AttributeSyntax) -> [MacroProblem] {
        guard let owner = declaration.as(ClassDeclSyntax.self) else { return [notAClass(declaration, node)] }
        var problems: [MacroProblem] = []
        if owner.inheritanceClause == nil { problems.append(noSuperclass(owner)) }
        if let generics = owner.genericParameterClause {
            problems.append(
                MacroProblem("A class with an entity can't be generic.", "genericClass", at: generics))
        }
        if let modifier = owner.modifiers.first(where: \.isPrivate) {
            problems.append(privateClass(owner, modifier))
        }
        if let name = MarkArguments(node).value("entity")?.as(StringLiteralExprSyntax.self),
            !isEntityName(name.segments.description)
        {
            problems.append(
                MacroProblem(
                    "The name of an entity begins with a letter and has letters, digits and underscores only.",
                    "entityName", at: name))
        }
        return problems
    }

    private static func notAClass(_ declaration: some DeclGroupSyntax, _ node: AttributeSyntax) -> MacroProblem {
        let sentence = "@ManagedObject belongs to a class that inherits from NSManagedObject."
        guard let structure = declaration.as(StructDeclSyntax.self), structure.genericParameterClause == nil else {
            return MacroProblem(sentence, "notAClass", at: node)
        }
        var name = structure.name
        name.trailingTrivia = []
        var changed = ClassDeclSyntax(
            attributes: structure.attributes, modifiers: structure.modifiers,
            classKeyword: .keyword(
                .class, leadingTrivia: structure.structKeyword.leadingTrivia,
                trailingTrivia: structure.structKeyword.trailingTrivia),
            name: name, inheritanceClause: inheritance(adding: structure.inheritanceClause),
            memberBlock: structure.memberBlock)
        changed.leadingTrivia = structure.leadingTrivia
        return MacroProblem(
            sentence, "notAClass", at: structure.structKeyword,
            fixIts: [.replacing(structure, by: changed, "make it a class that inherits from NSManagedObject")])
    }

    private static func inheritance(adding clause: InheritanceClauseSyntax?) -> InheritanceClauseSyntax {
        var types = [InheritedTypeSyntax(type: TypeSyntax("NSManagedObject"))]
        if let clause {
            types[0].trailingComma = .commaToken(trailingTrivia: .space)
            types += clause.inheritedTypes
        } else {
            types[0].trailingTrivia = .space
        }
        return InheritanceClauseSyntax(
            colon: .colonToken(trailingTrivia: .space), inheritedTypes: InheritedTypeListSyntax(types))
    }

    private static func noSuperclass(_ owner: ClassDeclSyntax) -> MacroProblem {
        var changed = owner
        changed.name.trailingTrivia = []
        changed.inheritanceClause = inheritance(adding: nil)
        return MacroProblem(
            "'\(owner.name.text)' must inherit from NSManagedObject, or from a class that does.", "noSuperclass",
            at: owner.name, fixIts: [.replacing(owner, by: changed, "add ': NSManagedObject'")])
    }

    private static func privateClass(_ owner: ClassDeclSyntax, _ modifier: DeclModifierSyntax) -> MacroProblem {
        return MacroProblem(
            "A class with an entity can't be \(modifier.name.text): stores find it by its name.", "privateClass",
            at: modifier, fixIts: [.removing(modifier, from: owner, before: \.classKeyword)])
    }

    private static func isEntityName(_ name: String) -> Bool {
        name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

extension DeclModifierSyntax {
    /// Whether the whole declaration is private, not its setter alone.
    var isPrivate: Bool {
        detail == nil && [.keyword(.private), .keyword(.fileprivate)].contains(name.tokenKind)
    }
}
#endif
