#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Relationship`: a mark that `@ManagedObject` reads.
    enum RelationshipMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            MarkCheck.run(node, on: declaration, in: context)
            return []
        }
    }
#endif
