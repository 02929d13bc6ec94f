#if Macros
import SwiftSyntax

/// The initial value of a property.
struct DefaultExpression {
    let expression: ExprSyntax

    /// Whether the value is the same each time, so that the model can have it: literals, members such as `.calm`,
    /// and initializers whose arguments are such values. What a function gives, and `now`, is made for each object.
    var isConstant: Bool { Self.isConstant(expression) }

    var isNil: Bool { expression.is(NilLiteralExprSyntax.self) }

    /// Whether it is `[]`, `.init()` or `Set()`.
    var isEmptyCollection: Bool {
        if let array = expression.as(ArrayExprSyntax.self) { return array.elements.isEmpty }
        guard let call = expression.as(FunctionCallExprSyntax.self), call.arguments.isEmpty else { return false }
        let name = call.calledExpression.trimmedDescription
        return name == ".init" || name.hasPrefix("Set") || name.hasPrefix("Array") || name.hasPrefix("[")
    }

    /// The type that a literal has when nothing else is said.
    var literalType: String? {
        switch expression.kind {
        case .stringLiteralExpr: "String"
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        case .functionCallExpr: initializedType
        default: nil
        }
    }

    private var initializedType: String? {
        let name = expression.as(FunctionCallExprSyntax.self)?.calledExpression.as(DeclReferenceExprSyntax.self)?
            .baseName.text
        return name.flatMap { $0.first?.isUppercase == true ? $0 : nil }
    }

    private static func isConstant(_ expression: ExprSyntax) -> Bool {
        switch expression.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr, .floatLiteralExpr, .integerLiteralExpr, .nilLiteralExpr, .declReferenceExpr: true
        case .stringLiteralExpr(let literal): literal.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        case .prefixOperatorExpr(let operation): isConstant(operation.expression)
        case .forceUnwrapExpr(let unwrapping): isConstant(unwrapping.expression)
        case .arrayExpr(let array): array.elements.allSatisfy { isConstant($0.expression) }
        case .dictionaryExpr(let dictionary): isConstant(dictionary)
        case .tupleExpr(let tuple): tuple.elements.allSatisfy { isConstant($0.expression) }
        case .infixOperatorExpr(let operation):
            isConstant(operation.leftOperand) && isConstant(operation.rightOperand)
        case .sequenceExpr(let sequence):
            sequence.elements.allSatisfy { $0.is(BinaryOperatorExprSyntax.self) || isConstant($0) }
        case .memberAccessExpr(let member):
            member.declName.baseName.text != "now" && (member.base.map(isConstant) ?? true)
        case .functionCallExpr(let call): isConstant(call)
        default: false
        }
    }

    private static func isConstant(_ dictionary: DictionaryExprSyntax) -> Bool {
        guard case .elements(let elements) = dictionary.content else { return true }
        return elements.allSatisfy { isConstant($0.key) && isConstant($0.value) }
    }

    private static func isConstant(_ call: FunctionCallExprSyntax) -> Bool {
        guard !call.arguments.isEmpty, call.trailingClosure == nil,
            call.arguments.allSatisfy({ isConstant($0.expression) })
        else { return false }
        let called = call.calledExpression
        if let member = called.as(MemberAccessExprSyntax.self) {
            let name = member.declName.baseName.text
            return name == "init" || name.first?.isUppercase == true
        }
        return called.as(DeclReferenceExprSyntax.self)?.baseName.text.first?.isUppercase == true
            || called.is(ArrayExprSyntax.self) || called.is(GenericSpecializationExprSyntax.self)
    }
}
#endif
