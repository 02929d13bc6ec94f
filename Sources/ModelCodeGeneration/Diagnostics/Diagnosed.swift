/// A result, and what was found wrong on the way to it.
package struct Diagnosed<Value: Sendable>: Sendable {
    package var value: Value
    package var diagnostics: [Diagnostic]

    package init(_ value: Value, _ diagnostics: [Diagnostic] = []) {
        self.value = value
        self.diagnostics = diagnostics
    }

    /// Whether nothing stands against using the value.
    package var isUsable: Bool { !diagnostics.contains { $0.severity == .error } }
}
