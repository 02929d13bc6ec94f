import CoreDataPlatform

/// A property that a class declares for its entity.
public struct PropertyBlueprint {
    enum Content {
        case attribute(AttributeBlueprint)
        case relationship(RelationshipBlueprint)
    }

    /// The property of the accessors.
    let property: ResolvedProperty
    let originalName: String?
    let hashModifier: String?
    let content: Content

    var name: String { property.name }

    var isUnique: Bool {
        if case .attribute(let attribute) = content { attribute.options.contains { $0.kind == .unique } } else { false }
    }

    var relationship: RelationshipBlueprint? {
        if case .relationship(let relationship) = content { relationship } else { nil }
    }

    /// The property; a relationship without its ends.
    func makeDescription(in entityName: String) throws -> NSPropertyDescription {
        let description: NSPropertyDescription
        switch content {
        case .attribute(let attribute): description = try attribute.makeDescription(path: "\(entityName).\(name)")
        case .relationship(let relationship): description = relationship.makeDescription()
        }
        description.name = name
        if let originalName { description.renamingIdentifier = originalName }
        description.versionHashModifier = hashModifier
        return description
    }
}
