/// What can be wrong with an entity by itself.
package struct EntityRules {
    package let model: CheckedModel
    package let entity: CheckedEntity

    package func findings() -> [ModelFinding] {
        name() + parent() + className() + renaming() + content()
    }

    private func finding(_ severity: ModelFinding.Severity, _ rule: String, _ message: String) -> ModelFinding {
        ModelFinding(severity: severity, rule: rule, entity: entity.name, line: entity.line, message: message)
    }

    private func name() -> [ModelFinding] {
        guard !entity.name.isEmpty else { return [finding(.error, "name", "An entity has no name.")] }
        var findings: [ModelFinding] = []
        if !NameRules.isName(entity.name) {
            findings.append(
                finding(
                    .error, "name", "The name must begin with a letter and have only letters, digits and underscores."))
        } else if entity.name.first?.isLowercase == true {
            findings.append(
                finding(.warning, "entity-case", "The name of an entity should begin with an upper-case letter."))
        }
        let first = model.entities.first { $0.name == entity.name }
        if first?.line != entity.line, model.entities.filter({ $0.name == entity.name }).count > 1 {
            findings.append(finding(.error, "duplicate-entity", "There are two entities with this name."))
        }
        let rival = model.entities.first {
            $0.name != entity.name && $0.name.lowercased() == entity.name.lowercased()
        }
        if let rival, rival.name < entity.name {
            findings.append(
                finding(
                    .warning, "duplicate-entity",
                    "The entity \(rival.name) differs only in case; both would have the same table."))
        }
        return findings
    }

    private func parent() -> [ModelFinding] {
        guard let parent = entity.parent else { return [] }
        guard model.entity(named: parent) != nil else {
            return [finding(.error, "missing-parent", "The parent entity \(parent) is not in the model.")]
        }
        let leadsBack = model.ancestry(of: entity).contains { $0.parent == entity.name }
        return leadsBack ? [finding(.error, "inheritance", "The entity inherits from itself.")] : []
    }

    private func className() -> [ModelFinding] {
        guard let className = entity.className, className != "NSManagedObject",
            let first = model.entities.first(where: { $0.className == className }), first.name != entity.name
        else { return [] }
        return [
            finding(
                .warning, "duplicate-class",
                "The entity \(first.name) also has the class \(className), so the class can't tell which entity it belongs to."
            )
        ]
    }

    private func renaming() -> [ModelFinding] {
        guard let identifier = entity.renamingIdentifier, identifier != entity.name else { return [] }
        let rival = model.entities.first { ($0.renamingIdentifier ?? $0.name) == identifier && $0.name != entity.name }
        guard let rival else { return [] }
        return [
            finding(
                .warning, "renaming",
                "The renaming identifier \(identifier) is also that of the entity \(rival.name); a migration uses only one."
            )
        ]
    }

    private func content() -> [ModelFinding] {
        var findings: [ModelFinding] = []
        let hasChildren = model.entities.contains { $0.parent == entity.name }
        if entity.isAbstract, !hasChildren {
            findings.append(
                finding(.note, "abstract", "The entity is abstract and has no subentities, so it can't have objects."))
        }
        if model.ancestry(of: entity).allSatisfy(\.properties.isEmpty), !hasChildren {
            findings.append(finding(.note, "empty-entity", "The entity has no properties."))
        }
        return findings
    }
}
