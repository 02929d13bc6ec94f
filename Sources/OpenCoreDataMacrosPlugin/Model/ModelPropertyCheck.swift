#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What a stored property must be to be persisted.
enum ModelPropertyCheck {
    /// The first thing that is wrong.
    static func problem(of variable: VariableDeclSyntax) -> MacroProblem? {
        guard variable.bindings.count == 1, let binding = variable.bindings.first else {
            return MacroProblem(
                "Each persisted property needs a declaration of its own.", "oneEach", at: variable.bindings,
                fixIts: splitting(variable).map { [$0] } ?? [])
        }
        guard binding.pattern.is(IdentifierPatternSyntax.self) else {
            return MacroProblem("A persisted property can't be a tuple.", "tuple", at: binding.pattern)
        }
        if let modifier = variable.modifier(.weak, .unowned) {
            return MacroProblem(
                "A persisted property can't be \(modifier.name.text); the context holds the models.", "weak",
                at: modifier, fixIts: [.removing(modifier, from: variable, before: \.bindingSpecifier)])
        }
        return nil
    }

    /// What is to be said of a property that is persisted all the same.
    static func warning(about variable: VariableDeclSyntax) -> MacroProblem? {
        guard let accessors = variable.bindings.first?.accessorBlock else { return nil }
        return MacroProblem(
            "The observers of a persisted property are never called: its accessors are those of @Model.",
            "observers", at: accessors, severity: .warning)
    }

    /// A declaration for each of several properties, the types of which are known.
    private static func splitting(_ variable: VariableDeclSyntax) -> FixIt? {
        var lines: [String] = []
        // In `var a, b: Int` the type belongs to both.
        var type: TypeSyntax?
        for binding in variable.bindings.reversed() {
            type = binding.typeAnnotation?.type ?? type
            guard binding.accessorBlock == nil, binding.typeAnnotation != nil || binding.initializer == nil,
                let type
            else { return nil }
            let initial = binding.initializer.map { " = \($0.value.trimmedDescription)" } ?? ""
            lines.insert("\(binding.pattern.trimmedDescription): \(type.trimmedDescription)\(initial)", at: 0)
        }
        let attributes = variable.attributes.trimmedDescription
        let start = [attributes, variable.modifiers.trimmedDescription, variable.bindingSpecifier.text]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let indentation = String(variable.leadingTrivia.description.split(separator: "\n").last ?? "")
        let source = lines.map { "\(start) \($0)" }.joined(separator: "\n\(indentation)")
        let changed = DeclSyntax(stringLiteral: "\(variable.leadingTrivia)\(source)\(variable.trailingTrivia)")
        return .replacing(variable, by: changed, "declare each property by itself")
    }
}
#endif
