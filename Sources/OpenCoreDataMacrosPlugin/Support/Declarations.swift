#if Macros
import SwiftSyntax

extension DeclGroupSyntax {
    /// The variables among the members.
    var storedVariables: [VariableDeclSyntax] {
        memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
    }

    /// Whether there is a function of a name among the members.
    func declaresFunction(_ name: String) -> Bool {
        memberBlock.members.contains { $0.decl.as(FunctionDeclSyntax.self)?.name.text == name }
    }
}

extension AttributeListSyntax {
    /// The attribute of a name, with or without a module before it.
    func attribute(_ name: String) -> AttributeSyntax? {
        lazy.compactMap { $0.as(AttributeSyntax.self) }.first { attribute in
            if let member = attribute.attributeName.as(MemberTypeSyntax.self) { return member.name.text == name }
            return attribute.attributeName.trimmedDescription == name
        }
    }
}

extension VariableDeclSyntax {
    /// Whether the instance holds the value: neither computed nor static nor lazy.
    var isStoredInInstance: Bool {
        let others: [Keyword] = [.static, .class, .lazy]
        guard
            !modifiers.contains(where: { modifier in others.contains { modifier.name.tokenKind == .keyword($0) } })
        else { return false }
        return !bindings.contains { $0.isComputed }
    }

    /// The modifier of a keyword.
    func modifier(_ keywords: Keyword...) -> DeclModifierSyntax? {
        modifiers.first { modifier in keywords.contains { modifier.name.tokenKind == .keyword($0) } }
    }
}

extension PatternBindingSyntax {
    /// Whether there is a getter.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy { accessor in
                [.keyword(.willSet), .keyword(.didSet)].contains(accessor.accessorSpecifier.tokenKind)
            }
        case nil: false
        }
    }
}
#endif
