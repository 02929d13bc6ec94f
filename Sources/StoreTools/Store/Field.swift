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
        /// What only shows when it is used: collection operators, paths over to-manys.
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
    /// How important the field is in a table that has no room for all.
    package let rank: Int
    /// The attribute of the destination of a to-one that names it.
    private let nameOfDestination: String?

    package var title: String { path }

    /// The relationships to prefetch.
    ///
    /// - Parameter namesDestinations: Whether the names of to-ones are shown. Their identifiers stand in the row, so that
    ///   without the names their objects are not needed.
    package func prefetchedPath(namingDestinations namesDestinations: Bool) -> String? {
        if !namesDestinations, case .relationship(let relationship) = end, !relationship.isToMany,
            path == relationship.name
        {
            return nil
        }
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

    /// Whether values are single objects.
    package var leadsToOne: Bool {
        guard case .relationship(let relationship) = end else { return false }
        return !relationship.isToMany
    }

    /// Whether the field says which object a row is of, by number or by name.
    package var isIdentifying: Bool { rank >= 7 }

    /// Whether values are no use when they are cut.
    package var isWhole: Bool {
        if case .identifier = end { return true }
        return false
    }

    private static func rank(_ path: String, _ end: End, of entity: NSEntityDescription?) -> Int {
        switch end {
        case .identifier: return 8
        case .relationship(let relationship): return relationship.isToMany ? 1 : 3
        case .computed: return 0
        case .attribute, .element:
            if let entity, entity.namingAttribute?.name == path { return 7 }
            if let entity, entity.uniqueKeys.contains([path]) { return 6 }
            switch shownAttribute(of: end)?.attributeType {
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
        var plain: NSAttributeDescription?
        for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            if let owner = composite {
                let element = try Self.element(key, of: owner)
                end = crossesToMany ? .computed : .element(element)
                composite = element as? NSCompositeAttributeDescription
                plain = Self.withoutParts(element)
                continue
            }
            if let plain, !key.hasPrefix("@") { throw Self.unknown(key, ofElement: plain) }
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
                plain = (property as? NSAttributeDescription).flatMap(Self.withoutParts)
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
        rank = Self.rank(path, end, of: entity)
        if case .relationship(let relationship) = end, !relationship.isToMany {
            nameOfDestination = relationship.destinationEntity?.namingAttribute?.name
        } else {
            nameOfDestination = nil
        }
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
        guard leadsToOne else {
            return ValueText.cell(value(of: object), isNumber: shownAttribute?.attributeType == .decimalAttributeType)
        }
        return destinationCell(of: object)
    }

    /// The text for a cell of CSV; nil for no value.
    package func csv(of object: NSManagedObject) -> String? {
        let value = value(of: object)
        switch (end, value) {
        case (.relationship, .array(let objects)): return ValueText.csv(objects: objects)
        // What an application has in an array may look like the name of an object.
        case (.attribute, .array), (.element, .array): return JSONText.string(of: value)
        default: return ValueText.csv(value)
        }
    }

    /// The identifier of a to-one's destination, and its name: `Author/p3 Ada Lovelace`.
    private func destinationCell(of object: NSManagedObject) -> String {
        let identifier = ValueText.cell(value(of: object))
        guard let destination = anyValue(of: object) as? NSManagedObject,
            let key = nameOfDestination ?? destination.entity.namingAttribute?.name,
            let name = destination.value(forKey: key) as? String, !name.isEmpty
        else { return identifier }
        return "\(identifier) \(DisplayWidth.truncate(TerminalText.line(name), to: Self.longestName))"
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

    /// The columns of the terminal that the name of a destination may take.
    private static let longestName = 30

    /// The attribute or element that the path leads to.
    var storedAttribute: NSAttributeDescription? {
        switch end {
        case .attribute(let attribute), .element(let attribute): attribute
        case .identifier, .relationship, .computed: nil
        }
    }

    /// What the values are of; for an enumeration with raw values the element that holds them.
    private var shownAttribute: NSAttributeDescription? { Self.shownAttribute(of: end) }

    private static func shownAttribute(of end: End) -> NSAttributeDescription? {
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

    /// The attribute if its values have no properties of their own.
    static func withoutParts(_ attribute: NSAttributeDescription) -> NSAttributeDescription? {
        switch attribute.attributeType {
        case .transformableAttributeType, .undefinedAttributeType, .compositeAttributeType: nil
        default: attribute
        }
    }

    static func unknown(_ key: String, ofElement owner: NSAttributeDescription) -> ToolFailure {
        let name = owner.name
        if owner.attributeType == .dateAttributeType {
            return ToolFailure(
                "\(name) is a date and has no part \(key). Dates can be compared, as in \(name) >= \"2010\" AND \(name) < "
                    + "\"2011\", sorted, and used with min: and max:; the command sql can take them apart, as in "
                    + "strftime('%Y', \(name)).")
        }
        if withoutParts(owner) != nil {
            return ToolFailure("\(name) is \(AttributeCoding.kind(of: owner)) and has no part \(key).")
        }
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
        let owners = entity.descendants.filter { $0.propertiesByName[key] != nil }.map(\.displayName)
        if !owners.isEmpty {
            return ToolFailure(
                "The entity \(entity.displayName) has no property named \(key), but \(StoreSession.listed(owners)) "
                    + (owners.count == 1 ? "has." : "have."))
        }
        let names = ([entity] + entity.descendants).flatMap { $0.propertiesByName.keys }
        let hint = Suggestion.hint(for: key, among: Set(names))
        return ToolFailure("The entity \(entity.displayName) has no property named \(key); \(hint)")
    }
}
