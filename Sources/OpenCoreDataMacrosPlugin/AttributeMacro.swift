#if Macros
    import SwiftSyntax
    import SwiftSyntaxMacros

    /// `@Attribute`: a mark that `@ManagedObject` reads.
    enum AttributeMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            MarkCheck.run(node, on: declaration, in: context)
            return []
        }
    }
#endif
