/// What is asked of an entity again and again, inherited properties included, computed once.
struct EntityLookup {
    let properties: [NSPropertyDescription]
    let propertiesByName: [String: NSPropertyDescription]
    let attributesByName: [String: NSAttributeDescription]
    let relationshipsByName: [String: NSRelationshipDescription]

    /// Inherited properties come first; an own property replaces an inherited one of the same name.
    init(declared: [NSPropertyDescription], inherited: [NSPropertyDescription]) {
        let ownNames = Set(declared.map(\.name))
        properties = inherited.filter { !ownNames.contains($0.name) } + declared
        var all: [String: NSPropertyDescription] = [:]
        var attributes: [String: NSAttributeDescription] = [:]
        var relationships: [String: NSRelationshipDescription] = [:]
        for property in properties {
            all[property.name] = property
            if let attribute = property as? NSAttributeDescription {
                attributes[property.name] = attribute
            } else if let relationship = property as? NSRelationshipDescription {
                relationships[property.name] = relationship
            }
        }
        propertiesByName = all
        attributesByName = attributes
        relationshipsByName = relationships
    }
}
