#if Macros
import SwiftSyntax

/// The arguments of an attribute such as `@Attribute(.unique, min: 3)`.
struct MarkArguments {
    private let list: [LabeledExprSyntax]

    init(_ mark: AttributeSyntax?) {
        if case .argumentList(let list) = mark?.arguments { self.list = Array(list) } else { list = [] }
    }

    /// The arguments without label.
    var options: [ExprSyntax] { list.filter { $0.label == nil }.map(\.expression) }

    /// The value of a label.
    func value(_ label: String) -> ExprSyntax? { list.first { $0.label?.text == label }?.expression }

    /// The integer literal of a label.
    func integer(_ label: String) -> Int? {
        value(label)?.as(IntegerLiteralExprSyntax.self).flatMap { Int($0.literal.text.filter { $0 != "_" }) }
    }

    /// The option of a name, such as `.derived("…")`.
    func option(_ name: String) -> ExprSyntax? { options.first { Self.optionName($0) == name } }

    /// The name of an option: `unique` of `.unique` and `AttributeOption.unique`.
    static func optionName(_ option: ExprSyntax) -> String? {
        if let call = option.as(FunctionCallExprSyntax.self) { return optionName(call.calledExpression) }
        return option.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    /// The arguments as source, those of the labels left out.
    func source(without labels: Set<String> = [], options: Bool = true) -> [String] {
        list.compactMap { argument in
            guard let label = argument.label?.text else {
                return options ? argument.expression.trimmedDescription : nil
            }
            return labels.contains(label) ? nil : "\(label): \(argument.expression.trimmedDescription)"
        }
    }
}
#endif
