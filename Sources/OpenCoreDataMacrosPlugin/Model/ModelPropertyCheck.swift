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
                    "Each persisted property needs a declaration of its own.", "oneEach", at: variable.bindings)
            }
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                return MacroProblem("A persisted property can't be a tuple.", "tuple", at: binding.pattern)
            }
            if let modifier = variable.modifier(.weak, .unowned) {
                return MacroProblem(
                    "A persisted property can't be \(modifier.name.text); the context holds the models.", "weak",
                    at: modifier, fixIts: [.removing(modifier, from: variable, before: \.bindingSpecifier)])
            }
            if let accessors = binding.accessorBlock {
                return MacroProblem(
                    "'\(pattern.identifier.text)' can't have observers: its accessors are those of @Model, and they "
                        + "would never be called.", "observers", at: accessors)
            }
            return nil
        }
    }
#endif
