#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension PropertyMarkCheck {
    /// What is wrong with a property that is marked as an attribute.
    func attributeProblems(_ mark: AttributeSyntax) -> [MacroProblem] {
        let arguments = MarkArguments(mark)
        if let unique = arguments.option("unique"), type.element != nil {
            return [
                MacroProblem(
                    "'\(property.name)' can't be unique: it holds many values.", "uniqueToMany", at: unique,
                    fixIts: [.removing(mark, from: variable)])
            ]
        }
        if let option = arguments.option("transformable") { return transformableProblems(option, arguments) }
        if let option = arguments.option("derived") { return derivedProblems(option, arguments) }
        let problems = storageProblems(arguments) + ruleProblems(arguments)
        return problems + (needsValue.map { [$0] } ?? [])
    }

    private func transformableProblems(_ option: ExprSyntax, _ arguments: MarkArguments) -> [MacroProblem] {
        guard let annotation = binding.typeAnnotation?.type else { return [] }
        if !type.isOptional {
            return [
                MacroProblem(
                    "A transformable attribute must be optional: the model can't have a default for it.",
                    "requiredTransformable", at: annotation, fixIts: [makeEmpty(annotation)])
            ]
        }
        guard let initial = property.initial, !initial.isNil else { return ruleProblems(arguments) }
        return [
            MacroProblem(
                "A transformable attribute can't have an initial value: the model can't have a default for it.",
                "transformableDefault", at: initial.expression, fixIts: [removeInitialValue])
        ]
    }

    private func derivedProblems(_ option: ExprSyntax, _ arguments: MarkArguments) -> [MacroProblem] {
        var problems: [MacroProblem] = []
        if let initializer = binding.initializer {
            problems.append(
                MacroProblem(
                    "The store computes '\(property.name)'; it can't have an initial value.", "derivedDefault",
                    at: initializer.value, fixIts: [removeInitialValue]))
        }
        for name in ["unique", "transient"] {
            guard let other = arguments.option(name) else { continue }
            problems.append(
                MacroProblem("A derived attribute can't be \(name).", "derivedAndOther", at: other))
        }
        if type.attributeName == nil, let annotation = binding.typeAnnotation?.type {
            problems.append(
                MacroProblem(
                    "The store computes numbers, strings and dates, not values of the type '\(annotation.trimmed)'.",
                    "derivedType", at: annotation))
        }
        return problems
    }

    private func storageProblems(_ arguments: MarkArguments) -> [MacroProblem] {
        var problems: [MacroProblem] = []
        if let option = arguments.option("externalStorage"), let name = type.attributeName, name != "Data" {
            problems.append(
                MacroProblem(
                    "Only data is kept in files of its own, not values of the type '\(name)'.",
                    "externalStorage", at: option))
        }
        if let option = arguments.option("transient"), arguments.option("unique") != nil {
            problems.append(
                MacroProblem(
                    "A transient attribute is not in the store and can't be unique.", "transientUnique", at: option)
            )
        }
        return problems
    }

    private func ruleProblems(_ arguments: MarkArguments) -> [MacroProblem] {
        var problems: [MacroProblem] = []
        let name = type.attributeName
        if let pattern = arguments.value("pattern"), let name, name != "String" {
            problems.append(
                MacroProblem(
                    "Only a string can have a pattern, not a value of the type '\(name)'.", "pattern", at: pattern))
        }
        let unlimited = ["Bool", "Data", "UUID", "URL"]
        for label in ["min", "max"] {
            guard let limit = arguments.value(label), let name, unlimited.contains(name) else { continue }
            problems.append(
                MacroProblem("A value of the type '\(name)' has no least and no greatest.", "limit", at: limit))
        }
        if let least = arguments.integer("min"), let most = arguments.integer("max"), least > most,
            let limit = arguments.value("min")
        {
            problems.append(MacroProblem("The least value is greater than the greatest.", "limits", at: limit))
        }
        return problems
    }
}
#endif
