/// What can be wrong with a relationship.
package struct RelationshipRules {
    package let model: CheckedModel
    package let entity: CheckedEntity
    package let relationship: CheckedProperty

    package func findings() -> [ModelFinding] {
        counts() + rule() + destination()
    }

    private func finding(_ severity: ModelFinding.Severity, _ rule: String, _ message: String) -> ModelFinding {
        ModelFinding(
            severity: severity, rule: rule, entity: entity.name, property: relationship.name, line: relationship.line,
            message: message)
    }

    // MARK: By itself

    private func counts() -> [ModelFinding] {
        let least = relationship.minCount ?? 0
        let most = relationship.maxCount ?? 0
        // A maximum below 0, which models made in code have, stands for any number too.
        if least < 0 { return [finding(.error, "counts", "The minimum count is below 0.")] }
        if most > 0, least > most {
            return [
                finding(.error, "counts", "The minimum count, \(least), is greater than the maximum count, \(most).")
            ]
        }
        let saysToMany = relationship.element.flag("toMany")
        if !saysToMany, most > 1 {
            return [
                finding(.warning, "counts", "The relationship is to-one, but has a maximum count of \(most).")
            ]
        }
        if saysToMany, most == 1 {
            return [finding(.warning, "counts", "The relationship is to-many, but has a maximum count of 1.")]
        }
        guard relationship.isOrdered, !relationship.isToMany else { return [] }
        return [finding(.warning, "ordered", "A to-one relationship can't be ordered.")]
    }

    private func rule() -> [ModelFinding] {
        switch relationship.deleteRule {
        case "Nullify", "Cascade", "Deny": []
        case "No Action":
            [
                finding(
                    .warning, "delete-rule",
                    "The delete rule No Action leaves objects that refer to a deleted one.")
            ]
        default: [finding(.error, "delete-rule", "The delete rule \(relationship.deleteRule) is not known.")]
        }
    }

    // MARK: With its destination

    private func destination() -> [ModelFinding] {
        guard let name = relationship.destination else {
            return [finding(.error, "destination", "The relationship must have a destination entity.")]
        }
        guard let destination = model.entity(named: name) else {
            return [finding(.error, "destination", "The destination entity \(name) is not in the model.")]
        }
        guard let inverseName = relationship.inverse else {
            return [
                finding(
                    .warning, "inverse",
                    "The relationship should have an inverse; without one, \(name) isn't updated when objects are deleted."
                )
            ]
        }
        guard let inverse = model.property(inverseName, of: destination), inverse.kind == .relationship else {
            return [finding(.error, "inverse", "The inverse \(inverseName) is not a relationship of \(name).")]
        }
        return reciprocity(inverse, of: destination) + together(inverse, of: destination)
    }

    private func reciprocity(_ inverse: CheckedProperty, of destination: CheckedEntity) -> [ModelFinding] {
        if let back = inverse.inverse, back != relationship.name {
            return [
                finding(
                    .error, "inverse", "The inverse \(destination.name).\(inverse.name) has another inverse, \(back).")
            ]
        }
        if let back = model.entity(named: inverse.destination), !model.isKind(back, of: entity),
            !model.isKind(entity, of: back)
        {
            return [
                finding(
                    .error, "inverse",
                    "The inverse \(destination.name).\(inverse.name) has the destination \(back.name), so it doesn't lead back."
                )
            ]
        }
        if inverse.inverse == nil {
            return [
                finding(
                    .warning, "inverse",
                    "The inverse \(destination.name).\(inverse.name) doesn't name this relationship as its inverse.")
            ]
        }
        if let named = relationship.element.string("inverseEntity"), named != relationship.destination {
            return [
                finding(
                    .warning, "inverse",
                    "The inverse is declared to be in \(named), but the destination is \(destination.name).")
            ]
        }
        return []
    }

    private func together(_ inverse: CheckedProperty, of destination: CheckedEntity) -> [ModelFinding] {
        var findings: [ModelFinding] = []
        let there = "\(destination.name).\(inverse.name)"
        if relationship.deleteRule == "Nullify", !inverse.isOptional, !inverse.isToMany {
            findings.append(
                finding(
                    .warning, "nullify",
                    "Deleting an object sets \(there) to nil, which is required: the save fails. Use Cascade or Deny.")
            )
        }
        let isFirst = (entity.name, relationship.name) <= (destination.name, inverse.name)
        if relationship.isToMany, inverse.isToMany, isFirst, relationship.isOrdered || inverse.isOrdered {
            findings.append(
                finding(
                    .note, "ordered", "The relationship and \(there) are many-to-many and ordered, which is costly."))
        }
        if relationship.deleteRule == "Cascade", inverse.deleteRule == "Cascade", isFirst,
            relationship.isToMany || inverse.isToMany
        {
            findings.append(
                finding(
                    .note, "delete-rule",
                    "Both this relationship and \(there) cascade: deleting one object deletes all connected ones."))
        }
        return findings
    }
}
