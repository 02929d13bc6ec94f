#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@ModelActor`: an actor with a context of its own.
enum ModelActorMacro: SourceMacro {}

extension ModelActorMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let owner = declaration.as(ActorDeclSyntax.self) else {
            context.diagnose(MacroProblem("@ModelActor belongs to an actor.", "notAnActor", at: node).diagnostic)
            return []
        }
        let access = owner.modifiers.accessPrefix
        var members = [
            "\(access)nonisolated let modelExecutor: any SwiftData.ModelExecutor",
            "\(access)nonisolated let modelContainer: SwiftData.ModelContainer",
        ]
        if MarkArguments(node).value("disableGenerateInit")?.trimmedDescription != "true" {
            members.append(
                """
                \(access)init(modelContainer: SwiftData.ModelContainer) {
                    let modelContext = SwiftData.ModelContext(modelContainer)
                    self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext)
                    self.modelContainer = modelContainer
                }
                """)
        }
        return members.map(DeclSyntax.init(source:))
    }
}

extension ModelActorMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
        return [ExtensionDeclSyntax(of: type, to: "SwiftData.ModelActor")]
    }
}
#endif
