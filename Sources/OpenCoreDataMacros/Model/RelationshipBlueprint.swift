import CoreDataPlatform

/// What a class says about a relationship.
struct RelationshipBlueprint {
    let form: RelationshipForm
    let inverse: InverseName
    let deleteRule: NSDeleteRule
    let isOptional: Bool
    let minCount: Int
    let maxCount: Int

    /// The relationship without its ends.
    func makeDescription() -> NSRelationshipDescription {
        let description = NSRelationshipDescription()
        description.isOptional = isOptional
        description.isOrdered = form.isOrdered
        description.deleteRule = deleteRule
        description.minCount = minCount
        description.maxCount = form.isToMany ? maxCount : 1
        return description
    }
}
