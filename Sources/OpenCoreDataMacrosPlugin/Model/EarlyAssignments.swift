#if Macros
import SwiftSyntax

/// The properties that a class sets before its superclass is initialized, as Swift has it for stored properties.
///
/// Only they get an init accessor, for which the class has to hold the values until it has a storage.
final class EarlyAssignments: SyntaxVisitor {
    private var names: Set<String> = []
    private var isSuperInitialized = false

    /// The names of the properties that an initializer of a class sets before it calls `super.init`.
    static func names(in declaration: some DeclGroupSyntax) -> Set<String> {
        // Without a superclass there is nothing to be early for.
        guard declaration.inheritanceClause != nil else { return [] }
        return declaration.memberBlock.members.reduce(into: []) { names, member in
            guard let initializer = member.decl.as(InitializerDeclSyntax.self), let body = initializer.body,
                !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) })
            else { return }
            let assignments = EarlyAssignments(viewMode: .sourceAccurate)
            assignments.walk(body)
            let isOverride = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.override) }
            // Where no initializer of the superclass is called, the compiler adds the call at the end.
            if assignments.isSuperInitialized || isOverride { names.formUnion(assignments.names) }
        }
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self),
            member.base?.is(SuperExprSyntax.self) == true, member.declName.baseName.tokenKind == .keyword(.`init`)
        {
            isSuperInitialized = true
        }
        return .visitChildren
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let parts = Array(node.elements)
        if !isSuperInitialized, parts.count > 1, parts[1].is(AssignmentExprSyntax.self) { add(parts[0]) }
        return .visitChildren
    }

    private func add(_ target: ExprSyntax) {
        if let tuple = target.as(TupleExprSyntax.self) {
            for element in tuple.elements { add(element.expression) }
        } else if let member = target.as(MemberAccessExprSyntax.self),
            member.base?.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self)
        {
            names.insert(member.declName.baseName.text.filter { $0 != "`" })
        } else if let reference = target.as(DeclReferenceExprSyntax.self) {
            names.insert(reference.baseName.text.filter { $0 != "`" })
        }
    }
}
#endif
