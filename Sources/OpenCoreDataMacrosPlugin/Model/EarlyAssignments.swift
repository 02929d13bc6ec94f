#if Macros
import SwiftSyntax

/// The properties that a class sets before its superclass is initialized, as Swift has it for stored properties.
///
/// Only they get an init accessor, for which the class has to hold the values until it has a storage.
final class EarlyAssignments: SyntaxVisitor {
    private var names: Set<String> = []
    private var isSuperInitialized = false
    /// The names that are declared in the scopes around the expression, the innermost last.
    private var scopes: [Set<String>]

    private init(parameters: Set<String>) {
        scopes = [parameters]
        super.init(viewMode: .sourceAccurate)
    }

    /// The names of the properties that an initializer of a class sets before it calls `super.init`.
    static func names(in declaration: some DeclGroupSyntax) -> Set<String> {
        // Without a superclass there is nothing to be early for.
        guard declaration.inheritanceClause != nil else { return [] }
        return declaration.memberBlock.members.reduce(into: []) { names, member in
            guard let initializer = member.decl.as(InitializerDeclSyntax.self), let body = initializer.body,
                !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) })
            else { return }
            let parameters = initializer.signature.parameterClause.parameters
            let assignments = EarlyAssignments(
                parameters: Set(parameters.map { ($0.secondName ?? $0.firstName).plainText }))
            assignments.walk(body)
            let isOverride = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.override) }
            // Where no initializer of the superclass is called, the compiler adds the call at the end. It does so only
            // if the superclass has no other one, as every model has; without `override` a protocol is more likely.
            if assignments.isSuperInitialized || isOverride { names.formUnion(assignments.names) }
        }
    }

    // MARK: Initializers

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self),
            member.base?.is(SuperExprSyntax.self) == true, member.declName.baseName.tokenKind == .keyword(.`init`)
        {
            isSuperInitialized = true
        }
        return .visitChildren
    }

    // MARK: Scopes

    private func enter() -> SyntaxVisitorContinueKind {
        scopes.append([])
        return .visitChildren
    }

    private func leave() { scopes.removeLast() }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: CodeBlockSyntax) { leave() }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: ClosureExprSyntax) { leave() }
    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        // What the condition declares isn't known in the other branch.
        _ = enter()
        walk(node.conditions)
        walk(node.body)
        leave()
        if let other = node.elseBody { walk(other) }
        return .skipChildren
    }
    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: ForStmtSyntax) { leave() }
    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: WhileStmtSyntax) { leave() }
    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: SwitchCaseSyntax) { leave() }
    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind { enter() }
    override func visitPost(_ node: CatchClauseSyntax) { leave() }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
        scopes[scopes.count - 1].insert(node.identifier.plainText)
        return .skipChildren
    }

    // MARK: Assignments

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let parts = Array(node.elements)
        if !isSuperInitialized, parts.count > 1, parts[1].is(AssignmentExprSyntax.self) { add(parts[0]) }
        return .visitChildren
    }

    private func add(_ target: ExprSyntax) {
        if let tuple = target.as(TupleExprSyntax.self) {
            for element in tuple.elements { add(element.expression) }
        } else if let member = target.as(MemberAccessExprSyntax.self), let base = member.base, Self.isSelf(base) {
            names.insert(member.declName.baseName.plainText)
        } else if let name = target.as(DeclReferenceExprSyntax.self)?.baseName.plainText,
            !scopes.contains(where: { $0.contains(name) })
        {
            names.insert(name)
        }
    }

    private static func isSelf(_ expression: ExprSyntax) -> Bool {
        expression.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
    }
}

extension TokenSyntax {
    /// The name without backticks.
    fileprivate var plainText: String { text.filter { $0 != "`" } }
}
#endif
