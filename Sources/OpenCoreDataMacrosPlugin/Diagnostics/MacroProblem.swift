#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A mistake in the source, where it stands, and how it can be mended.
struct MacroProblem {
    /// The sentence, and the identifier by which tools know it.
    struct Message: DiagnosticMessage, FixItMessage {
        let message: String
        let identifier: String
        var severity = DiagnosticSeverity.error

        var diagnosticID: MessageID { MessageID(domain: "OpenCoreDataMacros", id: identifier) }
        var fixItID: MessageID { diagnosticID }
    }

    let diagnostic: Diagnostic

    init(
        _ sentence: String, _ identifier: String, at node: some SyntaxProtocol, fixIts: [FixIt] = [],
        severity: DiagnosticSeverity = .error
    ) {
        diagnostic = Diagnostic(
            node: node, message: Message(message: sentence, identifier: identifier, severity: severity),
            fixIts: fixIts)
    }
}

extension FixIt {
    /// Replaces one node with another.
    static func replacing(_ old: some SyntaxProtocol, by new: some SyntaxProtocol, _ sentence: String) -> FixIt {
        FixIt(
            message: MacroProblem.Message(message: sentence, identifier: "fix"),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Takes an attribute such as `@NSManaged` away.
    static func removing(_ attribute: AttributeSyntax, from variable: VariableDeclSyntax) -> FixIt {
        var changed = variable
        changed.attributes = variable.attributes.filter { $0.as(AttributeSyntax.self)?.id != attribute.id }
        changed.leadingTrivia = variable.leadingTrivia
        return replacing(variable, by: changed, "remove '@\(attribute.attributeName.trimmedDescription)'")
    }

    /// Takes a modifier such as `weak` away. What follows it begins where it began.
    static func removing<Declaration: WithModifiersSyntax>(
        _ modifier: DeclModifierSyntax, from declaration: Declaration,
        before keyword: WritableKeyPath<Declaration, TokenSyntax>
    ) -> FixIt {
        var changed = declaration
        var kept = declaration.modifiers.filter { $0.id != modifier.id }
        if kept.isEmpty {
            changed[keyPath: keyword].leadingTrivia = declaration.modifiers.leadingTrivia
        } else {
            kept.leadingTrivia = declaration.modifiers.leadingTrivia
        }
        changed.modifiers = kept
        return replacing(declaration, by: changed, "remove '\(modifier.trimmedDescription)'")
    }
}
#endif
