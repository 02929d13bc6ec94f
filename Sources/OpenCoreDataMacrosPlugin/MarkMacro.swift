#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that makes nothing: a mark that `@ManagedObject` reads.
protocol MarkMacro: PeerMacro {}

extension MarkMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        MarkCheck.run(node, on: declaration, in: context)
        return []
    }
}

/// `@Attribute`.
enum AttributeMacro: MarkMacro {}
/// `@Relationship`.
enum RelationshipMacro: MarkMacro {}
/// `@Transient`.
enum TransientMacro: MarkMacro {}
#endif
