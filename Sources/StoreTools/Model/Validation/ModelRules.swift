/// All rules about models.
package struct ModelRules {
    package let model: CheckedModel
    /// Whether the source is a person's, so that what it says about generated code means something.
    package let isSource: Bool

    /// What the rules find: in the order of the source.
    package func findings() -> [ModelFinding] {
        var findings: [ModelFinding] = []
        if model.entities.isEmpty {
            findings.append(ModelFinding(severity: .note, rule: "empty-model", message: "The model has no entities."))
        }
        for entity in model.entities {
            findings += EntityRules(model: model, entity: entity).findings()
            for property in entity.properties {
                findings += NameRules(model: model, entity: entity, property: property).findings()
                switch property.kind {
                case .attribute:
                    findings += AttributeRules(
                        model: model, entity: entity, attribute: property, isSource: isSource
                    ).findings()
                case .relationship:
                    findings += RelationshipRules(model: model, entity: entity, relationship: property).findings()
                case .fetchedProperty:
                    findings += RequestRules(model: model).findings(ofFetchedProperty: property, of: entity)
                }
            }
            findings += IndexRules(model: model, entity: entity).findings()
        }
        findings += RequestRules(model: model).findings()
        findings += CloudRules(model: model).findings()
        return findings
    }
}
