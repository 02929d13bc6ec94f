#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension PropertyMarkCheck {
    /// What is wrong with a property that is marked as a relationship.
    func relationshipProblems(_ mark: AttributeSyntax) -> [MacroProblem] {
        guard let annotation = binding.typeAnnotation?.type else { return [] }
        let isToMany = type.element != nil
        if type.attributeName != nil || annotation.is(DictionaryTypeSyntax.self) {
            return [
                MacroProblem(
                    "A relationship can't be of the type '\(annotation.trimmed)': it is an optional managed object, or a "
                        + "Set or array of them.", "relationshipType", at: annotation)
            ]
        }
        if isToMany, type.isOptional {
            return [
                MacroProblem(
                    "A relationship to many objects is empty, never nil.", "optionalToMany", at: annotation,
                    fixIts: [changeType(to: type.wrapped.trimmedDescription, annotation)])
            ]
        }
        if !isToMany, !type.isOptional {
            return [
                MacroProblem(
                    "A relationship to one object is optional in Swift; say 'optional: false' to require the object when "
                        + "it is saved.", "requiredToOne", at: annotation, fixIts: [makeOptional(annotation)])
            ]
        }
        let problems = [initialValue, orderProblem(mark, annotation), inverseProblem(mark)].compactMap(\.self)
        return problems + countProblems(mark, isToMany: isToMany)
    }

    private var initialValue: MacroProblem? {
        guard let initial = property.initial, let initializer = binding.initializer, !initial.isNil,
            !(type.element != nil && initial.isEmptyCollection)
        else { return nil }
        return MacroProblem(
            "A relationship has no default; new objects begin without any.", "relationshipDefault",
            at: initializer.value, fixIts: [removeInitialValue])
    }

    private func orderProblem(_ mark: AttributeSyntax, _ annotation: TypeSyntax) -> MacroProblem? {
        guard let ordered = MarkArguments(mark).value("ordered")?.as(BooleanLiteralExprSyntax.self) else {
            return nil
        }
        let isOrdered = ordered.literal.tokenKind == .keyword(.true)
        switch type.kind {
        case .set(let element) where isOrdered:
            return MacroProblem(
                "A Set has no order; an ordered relationship is an array.", "orderedSet", at: ordered,
                fixIts: [changeType(to: "[\(element)]", annotation)])
        case .array(let element) where !isOrdered:
            return MacroProblem(
                "An array has an order; a relationship without one is a Set.", "unorderedArray", at: ordered,
                fixIts: [changeType(to: "Set<\(element)>", annotation)])
        case .other where isOrdered:
            return MacroProblem("A relationship to one object has no order.", "orderedToOne", at: ordered)
        default: return nil
        }
    }

    private func inverseProblem(_ mark: AttributeSyntax) -> MacroProblem? {
        guard let inverse = MarkArguments(mark).value("inverse"), !inverse.is(NilLiteralExprSyntax.self) else {
            return nil
        }
        if let literal = inverse.as(StringLiteralExprSyntax.self) {
            guard literal.segments.description.isEmpty else { return nil }
        } else if let keyPath = inverse.as(KeyPathExprSyntax.self) {
            guard keyPath.components.count != 1 else { return nil }
        } else {
            return nil
        }
        return MacroProblem(
            "An inverse is one relationship, such as \\Author.books or \"books\".", "inverse", at: inverse)
    }

    private func countProblems(_ mark: AttributeSyntax, isToMany: Bool) -> [MacroProblem] {
        let arguments = MarkArguments(mark)
        let (least, most) = (arguments.integer("minCount") ?? 0, arguments.integer("maxCount"))
        if !isToMany {
            guard least > 1 || (most ?? 1) > 1 else { return [] }
            return [
                MacroProblem("A relationship to one object can't have more than one.", "countOfToOne", at: mark)
            ]
        }
        if most == 1 {
            return [
                MacroProblem(
                    "A relationship to at most one object is an optional, not a collection.", "maxCountOne",
                    at: mark)
            ]
        }
        guard let most, most > 0, least > most else { return [] }
        return [MacroProblem("At least \(least) and at most \(most) objects are wanted.", "counts", at: mark)]
    }
}
#endif
