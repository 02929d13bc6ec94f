#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// What a stored property must be to be managed, whatever its kind.
enum PropertyCheck {
    /// Names that `NSManagedObject` uses itself.
    private static let reservedNames: Set<String> = [
        "description", "debugDescription", "hash", "hashValue", "entity", "objectID", "managedObjectContext",
        "isInserted", "isUpdated", "isDeleted", "hasChanges", "isFault", "faultingState", "self",
        "hasPersistentChangedValues", "entityName", "entityBlueprint",
    ]

    /// The first thing that is wrong.
    static func problem(of variable: VariableDeclSyntax) -> MacroProblem? {
        guard variable.bindings.count == 1, let binding = variable.bindings.first else {
            return MacroProblem(
                "Each managed property needs a declaration of its own.", "oneEach", at: variable.bindings)
        }
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
            return MacroProblem("A managed property can't be a tuple.", "tuple", at: binding.pattern)
        }
        let name = pattern.identifier.text
        if let mark = variable.attributes.attribute("NSManaged") {
            return MacroProblem(
                "@ManagedObject gives '\(name)' its accessors; @NSManaged can't stand beside it.", "nsManaged",
                at: mark,
                fixIts: [.removing(mark, from: variable)])
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let) { return constant(variable, name) }
        if let modifier = variable.modifier(.weak, .unowned) {
            return MacroProblem(
                "A managed property can't be \(modifier.name.text); the context holds the objects.", "weak",
                at: modifier, fixIts: [.removing(modifier, from: variable, before: \.bindingSpecifier)])
        }
        if let observers = binding.accessorBlock {
            return MacroProblem(
                "A managed property can't have observers; mark '\(name)' @Transient if the model doesn't have it.",
                "observers", at: observers)
        }
        if reservedNames.contains(name) {
            return MacroProblem(
                "'\(name)' is a name that NSManagedObject uses itself.", "reservedName", at: pattern)
        }
        guard let type = binding.typeAnnotation?.type else { return typeMissing(binding, pattern) }
        return problem(of: type, name)
    }

    private static func constant(_ variable: VariableDeclSyntax, _ name: String) -> MacroProblem {
        var specifier = variable.bindingSpecifier
        specifier.tokenKind = .keyword(.var)
        return MacroProblem(
            "A managed property must be a variable; mark '\(name)' @Transient if the model doesn't have it.",
            "constant", at: variable.bindingSpecifier,
            fixIts: [.replacing(variable.bindingSpecifier, by: specifier, "change 'let' to 'var'")])
    }

    private static func typeMissing(_ binding: PatternBindingSyntax, _ pattern: IdentifierPatternSyntax)
        -> MacroProblem
    {
        let guess = binding.initializer.flatMap { DefaultExpression(expression: $0.value).literalType }
        let fixIts = guess.map { type in
            var changed = binding
            changed.pattern = PatternSyntax(pattern.with(\.trailingTrivia, []))
            changed.typeAnnotation = TypeAnnotationSyntax(
                colon: .colonToken(trailingTrivia: .space), type: TypeSyntax("\(raw: type)"),
                trailingTrivia: pattern.trailingTrivia)
            return [FixIt.replacing(binding, by: changed, "add ': \(type)'")]
        }
        return MacroProblem(
            "The managed property '\(pattern.identifier.text)' needs its type written out.", "typeMissing",
            at: pattern, fixIts: fixIts ?? [])
    }

    private static func problem(of type: TypeSyntax, _ name: String) -> MacroProblem? {
        let managed = ManagedTypeSyntax(type)
        if managed.isImplicitlyUnwrapped {
            let optional = OptionalTypeSyntax(wrappedType: managed.wrapped, trailingTrivia: type.trailingTrivia)
            return MacroProblem(
                "A managed property is optional or not; '!' is neither.", "implicitlyUnwrapped", at: type,
                fixIts: [.replacing(type, by: optional, "change '!' to '?'")])
        }
        guard case .unsupported(let instead) = managed.kind else { return nil }
        let sentence = "An attribute can't be of the type '\(managed.wrapped)'"
        guard let instead else {
            return MacroProblem(
                "\(sentence); mark '\(name)' @Transient if the model doesn't have it.", "type", at: type)
        }
        guard !instead.contains(" ") else {
            return MacroProblem("\(sentence); use \(instead).", "type", at: type)
        }
        let changed = TypeSyntax("\(raw: instead)\(raw: managed.isOptional ? "?" : "")")
            .with(\.trailingTrivia, type.trailingTrivia)
        return MacroProblem(
            "\(sentence); use '\(instead)'.", "type", at: type,
            fixIts: [.replacing(type, by: changed, "change the type to '\(instead)'")])
    }
}
#endif
