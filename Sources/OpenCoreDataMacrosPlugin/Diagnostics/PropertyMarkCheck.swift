#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Whether what is said about a property goes together with its type.
struct PropertyMarkCheck {
    let property: ManagedPropertySyntax
    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax

    var problems: [MacroProblem] {
        if let attribute = property.attribute, property.relationship != nil { return [bothMarks(attribute)] }
        if let mark = property.relationship { return relationshipProblems(mark) }
        if let mark = property.attribute { return attributeProblems(mark) }
        return needsValue.map { [$0] } ?? []
    }

    var type: ManagedTypeSyntax { property.type }

    private func bothMarks(_ attribute: AttributeSyntax) -> MacroProblem {
        let isUnique = MarkArguments(attribute).option("unique") != nil
        return MacroProblem(
            isUnique
                ? "A relationship can't be unique; only attributes can."
                : "'\(property.name)' is an attribute or a relationship, not both.",
            isUnique ? "uniqueRelationship" : "bothMarks", at: attribute,
            fixIts: [.removing(attribute, from: variable)])
    }

    /// A value that is not optional and whose type doesn't say what represents none needs an initial value.
    var needsValue: MacroProblem? {
        guard !type.isOptional, property.initial == nil, let annotation = binding.typeAnnotation?.type else {
            return nil
        }
        switch type.kind {
        case .attribute, .unsupported: return nil
        case .set(let element), .array(let element):
            let isValue = ManagedTypeSyntax(TypeSyntax("\(raw: element)")).attributeName != nil
            guard isValue || property.attribute != nil else { return nil }
            return MacroProblem(
                "'\(property.name)' needs an initial value, such as [], or a type that is optional.",
                "valueMissing",
                at: annotation, fixIts: [makeOptional(annotation)])
        case .other:
            return MacroProblem(
                "'\(property.name)' needs an initial value, or a type that is optional, as relationships to one object "
                    + "have.", "valueMissing", at: annotation, fixIts: [makeOptional(annotation)])
        }
    }

    // MARK: Changes

    func makeOptional(_ annotation: TypeSyntax) -> FixIt {
        let optional = OptionalTypeSyntax(
            wrappedType: annotation.trimmed, trailingTrivia: annotation.trailingTrivia)
        return .replacing(annotation, by: optional, "make the type optional")
    }

    func changeType(to source: String, _ annotation: TypeSyntax) -> FixIt {
        let changed = TypeSyntax("\(raw: source)").with(\.trailingTrivia, annotation.trailingTrivia)
        return .replacing(annotation, by: changed, "change the type to '\(source)'")
    }

    /// Makes the type optional and takes the initial value away.
    func makeEmpty(_ annotation: TypeSyntax) -> FixIt {
        var changed = binding
        changed.typeAnnotation?.type = TypeSyntax(OptionalTypeSyntax(wrappedType: annotation.trimmed))
        changed.initializer = nil
        return .replacing(binding, by: changed, "make the type optional")
    }

    var removeInitialValue: FixIt {
        var changed = binding
        changed.initializer = nil
        changed.trailingTrivia = []
        return .replacing(binding, by: changed, "remove the initial value")
    }
}
#endif
