import ModelCodeGeneration

/// What can be wrong with the name of a property, of whatever kind.
package struct NameRules {
    package let model: CheckedModel
    package let entity: CheckedEntity
    package let property: CheckedProperty

    /// Whether a name can be one of an entity or property.
    package static func isName(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    package func findings() -> [ModelFinding] {
        let name = property.name
        guard !name.isEmpty else {
            return [finding(.error, "name", "A property of the entity has no name.")]
        }
        return form(name) + duplicates(name) + renaming()
    }

    private func finding(_ severity: ModelFinding.Severity, _ rule: String, _ message: String) -> ModelFinding {
        ModelFinding(
            severity: severity, rule: rule, entity: entity.name, property: property.name.isEmpty ? nil : property.name,
            line: property.line, message: message)
    }

    private func form(_ name: String) -> [ModelFinding] {
        if !Self.isName(name) {
            return [
                finding(
                    .error, "name", "The name must begin with a letter and have only letters, digits and underscores.")
            ]
        }
        if name == "fetchRequest" {
            return [
                finding(
                    .warning, "reserved-name",
                    "The name is also that of the method that creates a class's fetch requests.")
            ]
        }
        if ReservedNames.properties.contains(name) {
            return [
                finding(
                    .error, "reserved-name",
                    "The name is that of a member of NSManagedObject or NSObject, so no property can have it.")
            ]
        }
        guard name.first?.isUppercase == true else { return [] }
        return [finding(.warning, "property-case", "The name of a property should begin with a lower-case letter.")]
    }

    private func duplicates(_ name: String) -> [ModelFinding] {
        let same = entity.properties.filter { $0.name == name }
        if same.count > 1, same.first?.line != property.line {
            return [finding(.error, "duplicate-property", "The entity has two properties with this name.")]
        }
        if let ancestor = model.ancestry(of: entity).dropFirst().first(where: { ancestor in
            ancestor.properties.contains { $0.name == name }
        }) {
            return [
                finding(
                    .error, "duplicate-property",
                    "The entity inherits a property with this name from \(ancestor.name).")
            ]
        }
        let rival = entity.properties.first { $0.name != name && $0.name.lowercased() == name.lowercased() }
        guard let rival, rival.name < name else { return [] }
        return [
            finding(
                .warning, "duplicate-property",
                "The property \(rival.name) differs only in case; both would have the same column.")
        ]
    }

    private func renaming() -> [ModelFinding] {
        guard let identifier = property.element.renamingIdentifier, identifier != property.name else { return [] }
        let rival = entity.properties.first {
            ($0.element.renamingIdentifier ?? $0.name) == identifier && $0.name != property.name
        }
        guard let rival else { return [] }
        return [
            finding(
                .warning, "renaming",
                "The renaming identifier \(identifier) is also that of \(rival.name); a migration uses only one.")
        ]
    }
}
