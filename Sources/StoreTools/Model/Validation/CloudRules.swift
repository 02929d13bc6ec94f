/// What a model that is mirrored to CloudKit cannot have.
package struct CloudRules {
    package let model: CheckedModel

    package func findings() -> [ModelFinding] {
        let names = model.cloudEntities
        return model.entities.filter { names.contains($0.name) }.flatMap(findings)
    }

    private func findings(of entity: CheckedEntity) -> [ModelFinding] {
        var findings = entity.properties.compactMap { property -> ModelFinding? in
            let message: String?
            switch property.kind {
            case .attribute: message = problem(ofAttribute: property)
            case .relationship: message = problem(ofRelationship: property)
            case .fetchedProperty: message = nil
            }
            return message.map {
                ModelFinding(
                    severity: .warning, rule: "cloud", entity: entity.name, property: property.name,
                    line: property.line, message: $0)
            }
        }
        if !entity.constraints.isEmpty {
            findings.append(
                ModelFinding(
                    severity: .warning, rule: "cloud", entity: entity.name, line: entity.line,
                    message: "CloudKit doesn't support uniqueness constraints."))
        }
        return findings
    }

    private func problem(ofAttribute attribute: CheckedProperty) -> String? {
        guard !attribute.isTransient, !attribute.isOptional, attribute.defaultString == nil else { return nil }
        return "For CloudKit, the attribute has to be optional or have a default value."
    }

    private func problem(ofRelationship relationship: CheckedProperty) -> String? {
        if !relationship.isOptional { return "For CloudKit, the relationship has to be optional." }
        if relationship.isOrdered { return "CloudKit doesn't support ordered relationships." }
        if relationship.deleteRule == "Deny" { return "CloudKit doesn't support the delete rule Deny." }
        // That there is no inverse is a warning of its own.
        return nil
    }
}
