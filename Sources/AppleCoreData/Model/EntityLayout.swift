#if canImport(ObjectiveC)
package import CoreData

/// What the kit asks of an entity.
package struct EntityLayout {
    package let entity: NSEntityDescription

    package init(_ entity: NSEntityDescription) { self.entity = entity }

    package var name: String { entity.name ?? "" }

    /// An attribute or a relationship to one object.
    package func slot(named name: String) -> SlotLayout? {
        switch entity.propertiesByName[name] {
        case let attribute as NSAttributeDescription: SlotLayout(property: attribute)
        case let relationship as NSRelationshipDescription where !relationship.isToMany:
            SlotLayout(property: relationship)
        default: nil
        }
    }

    package func relationship(named name: String) -> RelationshipLayout? {
        guard let relationship = entity.relationshipsByName[name],
            let destination = relationship.destinationEntity
        else { return nil }
        return RelationshipLayout(description: relationship, destination: EntityLayout(destination))
    }
}

/// An attribute, or a relationship to one object.
package struct SlotLayout {
    package let property: NSPropertyDescription
    package var attribute: NSAttributeDescription? { property as? NSAttributeDescription }

    /// Checks a value that an application gave.
    ///
    /// - Throws: `UnacceptableValue` when the type doesn't fit the property.
    @discardableResult
    package func propertyValue(from value: Any?) throws -> Any? {
        guard let value = OptionalValue.flatten(value) else { return nil }
        guard accepts(value) else {
            throw UnacceptableValue(
                sentence:
                    "'\(property.name)' can't be \(ValueDescription.string(of: value)), of type \(type(of: value))."
            )
        }
        return value
    }

    private func accepts(_ value: Any) -> Bool {
        guard let attribute else { return value is NSManagedObject || value is NSManagedObjectID }
        return switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            value is NSNumber
        case .decimalAttributeType: value is Decimal || value is NSNumber
        case .stringAttributeType: value is String
        case .dateAttributeType: value is Date
        case .binaryDataAttributeType: value is Data
        case .UUIDAttributeType: value is UUID
        case .URIAttributeType: value is URL
        default: true
        }
    }
}

/// A relationship.
package struct RelationshipLayout {
    package let description: NSRelationshipDescription
    /// The destination entity as declared.
    package let destination: EntityLayout
    package var isToMany: Bool { description.isToMany }
    package var isOrdered: Bool { description.isOrdered }
}

/// The entities of a model.
package struct ModelLayout {
    private let model: NSManagedObjectModel

    init(_ model: NSManagedObjectModel) { self.model = model }

    package var entities: [EntityLayout] { model.entities.map { EntityLayout($0) } }
    package subscript(name: String) -> EntityLayout? { model.entitiesByName[name].map { EntityLayout($0) } }
}

/// A value that doesn't fit the property it was set for.
package struct UnacceptableValue: Error {
    package let sentence: String
}

#endif
