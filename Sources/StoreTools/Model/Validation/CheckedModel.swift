package import OpenCoreData

/// What the source of a model says, right or wrong, in the form in which rules look at it.
package struct CheckedModel {
    package var entities: [CheckedEntity]
    package var requests: [CheckedRequest]
    package var configurations: [CheckedConfiguration]
    /// The names of composite types.
    package var composites: Set<String>
    /// Whether all entities are mirrored to CloudKit.
    package var usesCloudKit: Bool

    package init(_ root: SourceElement) {
        entities = root.children(named: "entity").map(CheckedEntity.init)
        requests = root.children(named: "fetchRequest").map(CheckedRequest.init)
        configurations = root.children(named: "configuration").map(CheckedConfiguration.init)
        composites = Set(root.children(named: "composite").compactMap { $0.attributes["name"] })
        usesCloudKit = root.flag("usedWithCloudKit")
    }

    package func entity(named name: String?) -> CheckedEntity? {
        name.flatMap { name in entities.first { $0.name == name } }
    }

    /// The entity and what it inherits from; an entity that inherits from itself ends the list.
    package func ancestry(of entity: CheckedEntity) -> [CheckedEntity] {
        var result = [entity]
        while let parent = self.entity(named: result.last?.parent), !result.contains(where: { $0.name == parent.name })
        {
            result.append(parent)
        }
        return result
    }

    package func isKind(_ entity: CheckedEntity, of other: CheckedEntity) -> Bool {
        ancestry(of: entity).contains { $0.name == other.name }
    }

    /// The property of that name that the entity has, inherited ones included.
    package func property(_ name: String, of entity: CheckedEntity) -> CheckedProperty? {
        for ancestor in ancestry(of: entity) {
            if let found = ancestor.properties.first(where: { $0.name == name }) { return found }
        }
        return nil
    }

    /// The names of the entities that are mirrored to CloudKit.
    package var cloudEntities: Set<String> {
        if usesCloudKit { return Set(entities.map(\.name)) }
        return Set(configurations.filter(\.usesCloudKit).flatMap(\.members))
    }
}

/// An entity as its source has it.
package struct CheckedEntity {
    package var name: String
    package var line: Int?
    package var parent: String?
    package var className: String?
    package var isAbstract: Bool
    package var renamingIdentifier: String?
    package var properties: [CheckedProperty]
    package var constraints: [[String]]
    package var indexes: [CheckedIndex]

    package init(_ element: SourceElement) {
        name = element.attributes["name"] ?? ""
        line = element.knownLine
        parent = element.string("parentEntity")
        className = element.string("representedClassName").map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
        isAbstract = element.flag("isAbstract")
        renamingIdentifier = element.renamingIdentifier
        properties = element.children.compactMap(CheckedProperty.init)
        constraints = element.children(named: "uniquenessConstraints").flatMap(\.children).map {
            $0.children(named: "constraint").compactMap { $0.attributes["value"] }
        }
        indexes = element.children(named: "fetchIndex").map(CheckedIndex.init)
    }
}

/// A property as its source has it, with the whole element for what only one kind has.
package struct CheckedProperty {
    package enum Kind: String {
        case attribute
        case relationship
        case fetchedProperty
    }

    package let kind: Kind
    package let element: SourceElement
    package let name: String

    /// - Returns: nil for an element that is no property.
    package init?(_ element: SourceElement) {
        guard let kind = Kind(rawValue: element.name) else { return nil }
        self.kind = kind
        self.element = element
        name = element.attributes["name"] ?? ""
    }

    package var line: Int? { element.knownLine }
    package var isOptional: Bool { element.flag("optional") }
    package var isTransient: Bool { element.flag("transient") }
    package var isOrdered: Bool { element.flag("ordered") }
    package var isToMany: Bool { maxCount.map { $0 != 1 } ?? element.flag("toMany") }
    package var minCount: Int? { element.string("minCount").flatMap { Int($0) } }
    package var maxCount: Int? { element.string("maxCount").flatMap { Int($0) } }
    package var destination: String? { element.string("destinationEntity") }
    package var inverse: String? { element.string("inverseName") }
    package var deleteRule: String { element.string("deletionRule") ?? "Nullify" }
    package var typeName: String { element.string("attributeType") ?? "Undefined" }
    package var type: NSAttributeType? { SourceValue.attributeType(named: typeName) }
    package var isDerived: Bool { element.flag("derived") || element.attributes["derivationExpression"] != nil }
    package var defaultString: String? {
        element.string(type == .dateAttributeType ? "defaultDateTimeInterval" : "defaultValueString")
    }
}

/// A fetch index as its source has it.
package struct CheckedIndex {
    package var name: String
    package var line: Int?
    package var properties: [String]

    package init(_ element: SourceElement) {
        name = element.attributes["name"] ?? ""
        line = element.knownLine
        properties = element.children(named: "fetchIndexElement").compactMap { $0.string("property") }
    }
}

/// A fetch request of the model as its source has it.
package struct CheckedRequest {
    package var name: String
    package var line: Int?
    package var entity: String?
    package var predicate: String?

    package init(_ element: SourceElement) {
        name = element.attributes["name"] ?? ""
        line = element.knownLine
        entity = element.string("entity")
        predicate = element.string("predicateString")
    }
}

/// A configuration as its source has it.
package struct CheckedConfiguration {
    package var name: String
    package var line: Int?
    package var members: [String]
    package var usesCloudKit: Bool

    package init(_ element: SourceElement) {
        name = element.attributes["name"] ?? ""
        line = element.knownLine
        members = element.children(named: "memberEntity").compactMap { $0.attributes["name"] }
        usesCloudKit = element.flag("usedWithCloudKit")
    }
}

extension SourceElement {
    /// The line in the file; nil for an element that was not read from one.
    package var knownLine: Int? { line > 0 ? line : nil }

    package func flag(_ key: String) -> Bool { ["YES", "true", "1"].contains(attributes[key]) }

    /// The value of an attribute; nil when it is empty too.
    package func string(_ key: String) -> String? { attributes[key].flatMap { $0.isEmpty ? nil : $0 } }

    package var renamingIdentifier: String? { string("renamingIdentifier") ?? string("elementID") }
}
