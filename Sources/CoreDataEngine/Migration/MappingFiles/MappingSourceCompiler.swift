import Foundation

/// Makes entity mappings from the source of a mapping model, as Apple's compiler does: default expressions are added,
/// properties are sorted by name, and hashes come from the models.
struct MappingSourceCompiler {
    private let document: MappingSourceDocument
    private let models: MappingModels

    /// One entity mapping of the source, with its name and its entities.
    private struct Entry {
        let item: MappingSourceDocument.Item
        let name: String
        let source: NSEntityDescription?
        let destination: NSEntityDescription?
    }

    init(document: MappingSourceDocument, models: MappingModels) {
        self.document = document
        self.models = models
    }

    /// The mappings in their order.
    ///
    /// - Throws: A `CocoaError` that names the entity or property that is not in a model, or what is damaged.
    func entityMappings() throws -> [NSEntityMapping] {
        let items = try document.items("entitymappings", of: document.root, type: "XDDEVENTITYMAPPING")
        let entries = try items.enumerated()
            .sorted { ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset) }
            .map { try entry($0.element) }
        var names = Set<String>()
        for entry in entries where !names.insert(entry.name).inserted {
            throw ModelError.invalid("The mapping model has two entity mappings named '\(entry.name)'.")
        }
        return try entries.map { try mapping($0, among: entries) }
    }

    private func entry(_ item: MappingSourceDocument.Item) throws -> Entry {
        let source = try entity(item.string("sourcename"), in: models.source, "source")
        let destination = try entity(item.string("destinationname"), in: models.destination, "destination")
        let standardName: String
        switch (source?.name, destination?.name) {
        case (let source?, let destination?): standardName = "\(source)To\(destination)"
        case (let name?, nil), (nil, let name?): standardName = name
        case (nil, nil):
            throw ModelError.corrupt("The entity mapping \(item.identifier) has neither a source nor a destination.")
        }
        return Entry(item: item, name: item.string("name") ?? standardName, source: source, destination: destination)
    }

    private func entity(_ name: String?, in model: NSManagedObjectModel, _ side: String) throws -> NSEntityDescription?
    {
        guard let name else { return nil }
        guard let entity = model.entitiesByName[name] else {
            throw ModelError.invalid("The \(side) entity '\(name)' of the mapping model is not in the \(side) model.")
        }
        return entity
    }

    private func mapping(_ entry: Entry, among entries: [Entry]) throws -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = entry.name
        mapping.mappingType = try type(of: entry)
        mapping.sourceEntityName = entry.source?.name
        mapping.destinationEntityName = entry.destination?.name
        mapping.sourceEntityVersionHash = entry.source?.versionHash
        mapping.destinationEntityVersionHash = entry.destination?.versionHash
        mapping.entityMigrationPolicyClassName = entry.item.string("migrationpolicyclassname")
        if let name = entry.source?.name {
            mapping.sourceExpression =
                try writtenExpression(entry.item, "sourceexpressiondata") ?? MappingExpressions.sourceObjects(of: name)
        }
        mapping.attributeMappings = try propertyMappings(entry, "attributemappings", "XDDEVATTRIBUTEMAPPING") {
            item, _ in
            try keyPath(of: item, entry)
        } standard: {
            attributeExpression(for: $0, entry)
        }
        mapping.relationshipMappings = try propertyMappings(entry, "relationshipmappings", "XDDEVRELATIONSHIPMAPPING") {
            try namedSource(of: $0, for: $1, entry, among: entries)
        } standard: {
            relationshipExpression(for: $0, entry, among: entries)
        }
        return mapping
    }

    /// The type; Xcode leaves it open where it follows from the rest.
    private func type(of entry: Entry) throws -> NSEntityMappingType {
        switch entry.item.string("mappingtypename") ?? "Undefined" {
        case "Add": return .addEntityMappingType
        case "Remove": return .removeEntityMappingType
        case "Copy": return .copyEntityMappingType
        case "Transform": return .transformEntityMappingType
        case "Custom": return .customEntityMappingType
        case "Undefined": break
        case let other: throw ModelError.corrupt("The entity mapping '\(entry.name)' has the unknown type '\(other)'.")
        }
        if entry.item.string("migrationpolicyclassname") != nil { return .customEntityMappingType }
        if entry.source == nil { return .addEntityMappingType }
        return entry.destination == nil ? .removeEntityMappingType : .copyEntityMappingType
    }

    // MARK: Properties

    /// - Parameters:
    ///   - named: The expression that the fields of the mapping editor represent; nil where they are empty.
    ///   - standard: The expression where nothing is said.
    private func propertyMappings(
        _ entry: Entry, _ key: String, _ type: String,
        named: (MappingSourceDocument.Item, NSPropertyDescription) throws -> NSExpression?,
        standard: (NSPropertyDescription) -> NSExpression?
    ) throws -> [NSPropertyMapping] {
        var result: [(name: String, mapping: NSPropertyMapping)] = []
        for item in try document.items(key, of: entry.item, type: type) {
            guard let name = item.string("name") else {
                throw ModelError.corrupt("A property mapping of the entity mapping '\(entry.name)' names no property.")
            }
            guard let property = entry.destination?.propertiesByName[name] else {
                throw ModelError.invalid(
                    "The entity mapping '\(entry.name)' maps the property '\(name)', which the destination entity "
                        + "'\(entry.destination?.name ?? "")' does not have.")
            }
            let mapping = NSPropertyMapping()
            mapping.name = name
            mapping.valueExpression = try writtenExpression(item, "valueexpressiondata") ?? named(item, property)
            if mapping.valueExpression == nil, item.flag("autogenerateexpression") != false {
                mapping.valueExpression = standard(property)
            }
            result.append((name, mapping))
        }
        return result.sorted { $0.name < $1.name }.map(\.mapping)
    }

    private func writtenExpression(_ item: MappingSourceDocument.Item, _ key: String) throws -> NSExpression? {
        guard let data = try item.data(key) else { return nil }
        let archive = try KeyedArchive(data)
        var decoder = PredicateArchiveDecoder(archive: archive)
        return try decoder.expression(try archive.root())
    }

    /// The expression of a field "Key Path", such as `$source.land`.
    private func keyPath(of item: MappingSourceDocument.Item, _ entry: Entry) throws -> NSExpression? {
        guard let string = item.string("sourcekeypath") else { return nil }
        do {
            return try NSExpression(validatingFormat: string)
        } catch {
            throw ModelError.invalid(
                "\(property(item, entry)) has the key path '\(string)', which can't be read: \(error.localizedDescription)"
            )
        }
    }

    /// The objects that the fields "Key Path" and "Mapping Name" represent; either may be empty.
    private func namedSource(
        of item: MappingSourceDocument.Item, for property: NSPropertyDescription, _ entry: Entry, among entries: [Entry]
    ) throws -> NSExpression? {
        let path = try keyPath(of: item, entry)
        let names = ["sourcemappingname", "sourcemappinglname"].lazy.compactMap { item.string($0) }
        guard let name = names.first else {
            return path.map { MappingExpressions.destinations(of: $0, relationship: property.name) }
        }
        guard entries.contains(where: { $0.name == name }) else {
            throw ModelError.invalid(
                "\(self.property(item, entry)) names the entity mapping '\(name)', which the mapping model doesn't have."
            )
        }
        if let path { return MappingExpressions.destinations(of: path, byMapping: name) }
        return Self.counterpart(of: property, in: entry.source).map {
            MappingExpressions.destinations(of: $0.name, byMapping: name)
        }
    }

    /// A property in a message.
    private func property(_ item: MappingSourceDocument.Item, _ entry: Entry) -> String {
        "The property mapping '\(item.string("name") ?? "")' of the entity mapping '\(entry.name)'"
    }

    private func attributeExpression(for property: NSPropertyDescription, _ entry: Entry) -> NSExpression? {
        guard let attribute = Self.counterpart(of: property, in: entry.source) as? NSAttributeDescription else {
            return nil
        }
        return MappingExpressions.sourceValue(attribute.name)
    }

    /// The objects that came of the destinations of the source's relationship: by the one mapping that these can have, or
    /// by whichever they had.
    private func relationshipExpression(
        for property: NSPropertyDescription, _ entry: Entry, among entries: [Entry]
    ) -> NSExpression? {
        guard let relationship = Self.counterpart(of: property, in: entry.source) as? NSRelationshipDescription,
            let destination = relationship.destinationEntity
        else { return nil }
        let mappings = entries.filter { other in
            other.destination != nil && other.source.map { $0.isKindOf(entity: destination) } == true
        }
        guard let first = mappings.first else { return nil }
        return mappings.count == 1
            ? MappingExpressions.destinations(of: relationship.name, byMapping: first.name)
            : MappingExpressions.destinations(of: relationship.name)
    }

    /// The property of the source entity that became a property: by its name, or its renaming identifier.
    private static func counterpart(of property: NSPropertyDescription, in source: NSEntityDescription?)
        -> NSPropertyDescription?
    {
        guard let source else { return nil }
        if let same = source.propertiesByName[property.name] { return same }
        guard let identifier = property.renamingIdentifier else { return nil }
        return source.properties.first { ($0.renamingIdentifier ?? $0.name) == identifier }
    }
}
