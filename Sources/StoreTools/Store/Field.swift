import Foundation
package import OpenCoreData

/// A column of `list`: a property, or a key path that starts at an object.
package struct Field {
    package static let objectID = Field(path: "objectID", relationships: [], end: .identifier)

    enum End {
        case identifier
        case attribute(NSAttributeDescription)
        /// An element of a composite attribute.
        case element(NSAttributeDescription)
        case relationship(NSRelationshipDescription)
        /// What only shows when it is asked for: collection operators, paths over to-manys.
        case computed
    }

    package let path: String
    /// The relationships that the path goes over, as prefetching wants them.
    package let relationshipPath: String?
    /// The property that the path starts with.
    private let first: String
    /// The entity that has that property for sure; objects of others are asked whether theirs has it.
    private let owner: EntityLayout?
    let end: End

    package var title: String { path }

    /// The relationships to prefetch. A to-one's identifier stands in the row, so that its object is not needed.
    package var prefetchedPath: String? {
        if case .relationship(let relationship) = end, !relationship.isToMany, path == relationship.name { return nil }
        return relationshipPath
    }

    /// Whether values line up at their right side.
    package var isNumeric: Bool {
        guard let attribute = shownAttribute else { return path.contains("@count") }
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            return true
        default:
            return false
        }
    }

    /// How important the field is in a table that has no room for all.
    package var rank: Int {
        switch end {
        case .identifier: return 6
        case .relationship(let relationship): return relationship.isToMany ? 1 : 3
        case .computed: return 0
        case .attribute, .element:
            switch shownAttribute?.attributeType {
            case .stringAttributeType: return 5
            case .binaryDataAttributeType, .transformableAttributeType, .compositeAttributeType, nil: return 0
            case .UUIDAttributeType, .URIAttributeType: return 2
            default: return 4
            }
        }
    }

    /// Creates the field for `path`, which starts at objects of `entity`.
    ///
    /// - Throws: `ToolFailure` if a key of the path isn't a property of its entity.
    package init(path: String, entity: NSEntityDescription) throws {
        if path == Self.objectID.path {
            self = .objectID
            return
        }
        var current: NSEntityDescription? = entity
        var relationships: [String] = []
        var end = End.computed
        var crossesToMany = false
        var composite: NSCompositeAttributeDescription?
        for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            if let owner = composite {
                let element = try Self.element(key, of: owner)
                end = crossesToMany ? .computed : .element(element)
                composite = element as? NSCompositeAttributeDescription
                continue
            }
            if key.hasPrefix("@") || key == "objectID" || current == nil {
                end = .computed
                current = nil
                continue
            }
            guard let owner = current, let property = Self.property(key, of: owner) else {
                throw Self.unknown(key, of: current ?? entity)
            }
            if let relationship = property as? NSRelationshipDescription {
                end = crossesToMany ? .computed : .relationship(relationship)
                crossesToMany = crossesToMany || relationship.isToMany
                relationships.append(key)
                current = relationship.destinationEntity
            } else {
                end = crossesToMany ? .computed : (property as? NSAttributeDescription).map(End.attribute) ?? .computed
                composite = property as? NSCompositeAttributeDescription
                current = nil
            }
        }
        self.init(path: path, relationships: relationships, end: end, of: entity)
    }

    private init(path: String, relationships: [String], end: End, of entity: NSEntityDescription? = nil) {
        self.path = path
        self.end = end
        first = String(path.prefix { $0 != "." })
        owner = entity?.propertiesByName[first] == nil ? nil : entity?.layout
        relationshipPath = relationships.isEmpty ? nil : relationships.joined(separator: ".")
    }

    /// Every stored property of an entity: attributes, then relationships, each by name.
    package static func all(of entity: NSEntityDescription) -> [Field] {
        entity.storedAttributes.map { Field(path: $0.name, relationships: [], end: .attribute($0), of: entity) }
            + entity.storedRelationships.map {
                Field(path: $0.name, relationships: [$0.name], end: .relationship($0), of: entity)
            }
    }

    /// The value of the field for an object; null where the object's entity has no such property.
    package func value(of object: NSManagedObject) -> JSONValue {
        switch end {
        case .identifier:
            return .string(ObjectName.uri(of: object.objectID))
        case .attribute(let attribute):
            return AttributeCoding.json(anyValue(of: object), of: attribute)
        case .element(let element):
            return CompositeJSON.json(anyValue(of: object), ofElement: element)
        case .relationship(let relationship) where !path.contains("."):
            guard isIn(object) else { return .null }
            return Self.json(of: relationship, object)
        case .relationship, .computed:
            return DynamicJSON.json(anyValue(of: object))
        }
    }

    /// The text for a cell of a table.
    package func cell(of object: NSManagedObject) -> String {
        if case .attribute(let attribute) = end, attribute.attributeType == .stringAttributeType, isIn(object) {
            // Most columns are strings, which need no value of JSON.
            guard let slot = object.rowLayout.slot(named: path), let stored = object.storedRow, !slot.isTransient else {
                return ValueText.cell(value(of: object))
            }
            return stored.slab.isNull(stored.row, slot.index)
                ? ValueText.cell(.null) : ObjectName.short(stored.slab.string(stored.row, slot.index))
        }
        return ValueText.cell(value(of: object))
    }

    /// The object's value of a relationship, as URIs.
    package static func json(of relationship: NSRelationshipDescription, _ object: NSManagedObject) -> JSONValue {
        let ids = object.objectIDs(forRelationshipNamed: relationship.name)
        guard relationship.isToMany else {
            return ids.first.map { .string(ObjectName.uri(of: $0)) } ?? .null
        }
        let ordered = relationship.isOrdered ? ids : ids.sorted(by: NSManagedObjectID.isInStoreOrder)
        return .array(ordered.map { .string(ObjectName.uri(of: $0)) })
    }

    private func anyValue(of object: NSManagedObject) -> Any? {
        guard isIn(object) else { return nil }
        return path.utf8.count == first.utf8.count ? object.value(forKey: path) : object.value(forKeyPath: path)
    }

    /// Whether the object's entity has the property that the path starts with.
    private func isIn(_ object: NSManagedObject) -> Bool {
        if let owner, object.rowLayout.isKind(of: owner) { return true }
        return object.entity.propertiesByName[first] != nil
    }

    /// What the values are of; for an enumeration with raw values the element that holds them.
    private var shownAttribute: NSAttributeDescription? {
        switch end {
        case .attribute(let composite as NSCompositeAttributeDescription):
            if case .rawValues(let element) = CompositeShape(of: composite) { element } else { nil }
        case .attribute(let attribute), .element(let attribute): attribute
        case .identifier, .relationship, .computed: nil
        }
    }

    /// The element of a composite attribute of `entity` that a key path leads to; `nil` if its first key isn't a
    /// composite attribute.
    ///
    /// - Throws: `ToolFailure` if the attribute has no such element.
    package static func element(at keyPath: String, of entity: NSEntityDescription) throws -> NSAttributeDescription? {
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count > 1, let composite = entity.attributesByName[keys[0]] as? NSCompositeAttributeDescription
        else { return nil }
        return try keys.dropFirst().reduce(composite as NSAttributeDescription) { owner, key in
            try element(key, of: owner)
        }
    }

    private static func element(_ key: String, of owner: NSAttributeDescription) throws -> NSAttributeDescription {
        let elements = (owner as? NSCompositeAttributeDescription)?.elements ?? []
        guard let element = elements.first(where: { $0.name == key }) else { throw unknown(key, ofElement: owner) }
        return element
    }

    static func unknown(_ key: String, ofElement owner: NSAttributeDescription) -> ToolFailure {
        let elements = (owner as? NSCompositeAttributeDescription)?.elements ?? []
        let hint = Suggestion.hint(for: key, among: elements.map(\.name))
        return ToolFailure("The attribute \(owner.name) has no element named \(key); \(hint)")
    }

    /// The property of an entity or of one that inherits from it.
    static func property(_ key: String, of entity: NSEntityDescription) -> NSPropertyDescription? {
        if let property = entity.propertiesByName[key] { return property }
        for subentity in entity.subentities {
            if let property = property(key, of: subentity) { return property }
        }
        return nil
    }

    /// What is to be said of a key that is no property of an entity.
    package static func unknown(_ key: String, of entity: NSEntityDescription) -> ToolFailure {
        let names = ([entity] + entity.descendants).flatMap { $0.propertiesByName.keys }
        let hint = Suggestion.hint(for: key, among: Set(names))
        return ToolFailure("The entity \(entity.displayName) has no property named \(key); \(hint)")
    }
}
