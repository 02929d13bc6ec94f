import Foundation

/// Makes a model of its source, as Apple's model compiler does.
struct ModelSourceReader {
    let root: SourceElement
    private var composites: [String: SourceElement] = [:]
    private let attributeBudget = Budget()

    /// How many attributes may still be made: composite types can be made of composite types many times.
    private final class Budget {
        var remaining = 200_000
    }

    init(root: SourceElement) {
        self.root = root
    }

    func model() throws -> NSManagedObjectModel {
        var reader = self
        return try reader.readModel()
    }

    private mutating func readModel() throws -> NSManagedObjectModel {
        for composite in root.children(named: "composite") { composites[try name(of: composite)] = composite }
        let model = NSManagedObjectModel()
        if let identifier = root.attributes["userDefinedModelVersionIdentifier"] {
            model.versionIdentifiers = [identifier]
        }
        model.entities = try readEntities()
        try readConfigurations(of: model)
        for element in root.children(named: "fetchRequest") {
            let template = try readFetchRequest(element)
            model.fetchRequestTemplates[template.name] = template
        }
        try model.requireLinks()
        return model
    }

    private func readEntities() throws -> [NSEntityDescription] {
        let elements = root.children(named: "entity")
        var entities: [NSEntityDescription] = []
        var indexByName: [String: Int] = [:]
        for element in elements {
            let entity = try readEntity(element)
            guard indexByName.updateValue(entities.count, forKey: entity.name ?? "") == nil else {
                throw ModelError.invalid(
                    "The model has two entities named '\(entity.name ?? "")' (line \(element.line)).")
            }
            entities.append(entity)
        }
        try linkHierarchy(elements: elements, entities: entities, indexByName: indexByName)
        for (element, entity) in zip(elements, entities) { try readIndexes(element, of: entity) }
        return entities
    }

    private func linkHierarchy(
        elements: [SourceElement], entities: [NSEntityDescription], indexByName: [String: Int]
    ) throws {
        var parents: [Int: Int] = [:]
        for (index, element) in elements.enumerated() {
            guard let parentName = element.attributes["parentEntity"] else { continue }
            guard let parent = indexByName[parentName] else {
                throw ModelError.invalid(
                    "The superentity '\(parentName)' of entity '\(entities[index].name ?? "")' (line \(element.line)) "
                        + "is not in the model.")
            }
            parents[index] = parent
        }
        try InheritanceCheck.run(parents: parents) { index in
            entities[index].name ?? ""
        }
        let children = Dictionary(grouping: parents.keys.sorted(), by: { parents[$0] ?? 0 })
        for (parent, members) in children { entities[parent].subentities = members.map { entities[$0] } }
    }

    // MARK: Entities

    private func readEntity(_ element: SourceElement) throws -> NSEntityDescription {
        let entity = NSEntityDescription()
        let entityName = try name(of: element)
        entity.name = entityName
        if let className = element.attributes["representedClassName"], !className.isEmpty {
            entity.managedObjectClassName = className.hasPrefix(".") ? String(className.dropFirst()) : className
        }
        entity.isAbstract = try bool(element, "isAbstract")
        entity.explicitRenamingIdentifier = renamingIdentifier(of: element)
        entity.versionHashModifier = element.attributes["versionHashModifier"]
        entity.userInfo = try readUserInfo(of: element)
        var properties: [NSPropertyDescription] = []
        var names = Set<String>()
        for child in element.children {
            guard let property = try readProperty(child, of: entityName) else { continue }
            guard names.insert(property.name).inserted else {
                throw ModelError.invalid(
                    "The entity '\(entityName)' has two properties named '\(property.name)' (line \(child.line)).")
            }
            properties.append(property)
        }
        entity.declaredProperties = properties
        entity.uniquenessConstraints = element.children(named: "uniquenessConstraints").flatMap(\.children).map {
            $0.children(named: "constraint").compactMap { $0.attributes["value"] }
        }
        entity.compoundIndexNames = element.children(named: "compoundIndexes").flatMap(\.children).map {
            $0.children(named: "index").compactMap { $0.attributes["value"] }
        }
        return entity
    }

    private func readProperty(_ element: SourceElement, of entityName: String) throws -> NSPropertyDescription? {
        let property: NSPropertyDescription
        switch element.name {
        case "attribute": property = try readAttribute(element, path: entityName, enclosing: [])
        case "relationship": property = try readRelationship(element, path: entityName)
        case "fetchedProperty": property = try readFetchedProperty(element)
        default: return nil
        }
        let userInfo = try readUserInfo(of: element)
        property.userInfo = property is NSCompositeAttributeDescription ? CompositeSource.userInfo(userInfo) : userInfo
        return property
    }

    func readCommon(_ element: SourceElement, into property: NSPropertyDescription) throws {
        property.name = try name(of: element)
        property.isOptional = try bool(element, "optional")
        property.isIndexedFlag = try bool(element, "indexed")
        property.isIndexedBySpotlight = try bool(element, "spotlightIndexingEnabled")
        property.isStoredInExternalRecordFlag = try bool(element, "storedInTruthFile")
        property.versionHashModifier = element.attributes["versionHashModifier"]
        property.explicitRenamingIdentifier = renamingIdentifier(of: element)
    }

    private func readRelationship(_ element: SourceElement, path: String) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        try readCommon(element, into: relationship)
        relationship.isTransient = try bool(element, "transient")
        relationship.isOrdered = try bool(element, "ordered")
        let isToMany = try bool(element, "toMany")
        relationship.maxCount = try int(element, "maxCount") ?? (isToMany ? 0 : 1)
        relationship.minCount = try int(element, "minCount") ?? 0
        if let ruleName = element.attributes["deletionRule"] {
            guard let rule = SourceValue.deleteRuleNames.first(where: { $0.name == ruleName })?.rule else {
                throw failure(element, "has the unknown deletion rule '\(ruleName)'")
            }
            relationship.deleteRule = rule
        }
        relationship.setEnds(
            destinationName: element.attributes["destinationEntity"], inverseName: element.attributes["inverseName"])
        return relationship
    }

    private func readFetchedProperty(_ element: SourceElement) throws -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        try readCommon(element, into: property)
        property.template = try element.children(named: "fetchRequest").first.map { try readFetchRequest($0) }
        return property
    }

    // MARK: Indexes

    private func readIndexes(_ element: SourceElement, of entity: NSEntityDescription) throws {
        var indexes: [NSFetchIndexDescription] = []
        for child in element.children(named: "fetchIndex") {
            let name = try name(of: child)
            let members = try child.children(named: "fetchIndexElement").enumerated().map { position, member in
                try readIndexElement(member, position: position, of: entity)
            }
            let index = NSFetchIndexDescription(name: name, elements: members)
            if let format = child.attributes["partialIndexPredicate"], !format.isEmpty {
                index.partialIndexPredicate = try predicate(format, child)
            }
            indexes.append(index)
        }
        entity.indexes = indexes
        // What Xcode writes has no such attribute; a model that is extracted from a store may.
        let unflagged = element.children(named: "attribute").filter { $0.attributes["indexed"] == "NO" }
        entity.markImpliedIndexes(besides: Set(unflagged.compactMap { $0.attributes["name"] }))
        entity.addImpliedIndexes()
    }

    private func readIndexElement(_ element: SourceElement, position: Int, of entity: NSEntityDescription) throws
        -> NSFetchIndexElementDescription
    {
        let typeName = element.attributes["type"] ?? "Binary"
        guard ["Binary", "RTree"].contains(typeName) else {
            throw failure(element, "has the unknown type '\(typeName)'")
        }
        let type: NSFetchIndexElementType = typeName == "RTree" ? .rTree : .binary
        let result: NSFetchIndexElementDescription
        if let format = element.attributes["expression"] {
            let description = NSExpressionDescription()
            description.name = "expression\(position)"
            description.expression = try expression(format, element)
            if let resultType = element.attributes["expressionType"] {
                guard let type = SourceValue.attributeType(named: resultType) else {
                    throw failure(element, "has the unknown type '\(resultType)'")
                }
                description.expressionResultType = type
            }
            result = NSFetchIndexElementDescription(property: description, collationType: type)
        } else if let propertyName = element.attributes["property"] {
            result = NSFetchIndexElementDescription(propertyName: propertyName, collationType: type)
        } else {
            throw failure(element, "has neither a property nor an expression")
        }
        result.isAscending = element.attributes["order"] != "descending"
        return result
    }

    // MARK: Model

    private func readConfigurations(of model: NSManagedObjectModel) throws {
        for element in root.children(named: "configuration") {
            let configuration = try name(of: element)
            let members = try element.children(named: "memberEntity").map { member in
                let entityName = try name(of: member)
                guard let entity = model.entitiesByName[entityName] else {
                    throw ModelError.invalid(
                        "The configuration '\(configuration)' (line \(element.line)) has the member '\(entityName)', "
                            + "which is not in the model.")
                }
                return entity
            }
            model.setEntities(members, forConfigurationName: configuration)
        }
    }

    private func readFetchRequest(_ element: SourceElement) throws -> FetchRequestTemplate {
        var template = FetchRequestTemplate(name: try name(of: element), entityName: element.attributes["entity"])
        if let format = element.attributes["predicateString"], !format.isEmpty {
            template.predicateString = format
            template.predicate = try predicate(format, element)
        }
        template.fetchLimit = try int(element, "fetchLimit") ?? 0
        template.fetchBatchSize = try int(element, "fetchBatchSize") ?? 0
        template.includesSubentities = try optionalBool(element, "includeSubentities") ?? true
        template.includesPropertyValues = try optionalBool(element, "includePropertyValues") ?? true
        template.includesPendingChanges = try optionalBool(element, "includesPendingChanges") ?? true
        template.returnsObjectsAsFaults = try optionalBool(element, "returnObjectsAsFaults") ?? true
        template.returnsDistinctResults = try optionalBool(element, "returnDistinctResults") ?? false
        template.resultType = UInt(clamping: try int(element, "resultType") ?? 0)
        return template
    }

    private func readUserInfo(of element: SourceElement) throws -> [AnyHashable: Any] {
        guard let list = element.children(named: "userInfo").first else { return [:] }
        var info: [AnyHashable: Any] = [:]
        for entry in list.children(named: "entry") {
            guard let key = entry.attributes["key"] else { throw failure(entry, "has no key") }
            info[key] = entry.attributes["value"] ?? ""
        }
        return info
    }

    func spendAttribute(_ element: SourceElement) throws {
        attributeBudget.remaining -= 1
        guard attributeBudget.remaining > 0 else { throw failure(element, "makes the model too large") }
    }

    /// The definition of a composite type.
    func composite(named name: String) -> SourceElement? { composites[name] }

    // MARK: Values

    private func renamingIdentifier(of element: SourceElement) -> String? {
        element.attributes["renamingIdentifier"] ?? element.attributes["elementID"]
    }

    func name(of element: SourceElement) throws -> String {
        guard let name = element.attributes["name"], !name.isEmpty else { throw failure(element, "has no name") }
        return name
    }

    func bool(_ element: SourceElement, _ key: String) throws -> Bool { try optionalBool(element, key) ?? false }

    private func optionalBool(_ element: SourceElement, _ key: String) throws -> Bool? {
        guard let string = element.attributes[key] else { return nil }
        guard let value = SourceValue.bool(string) else {
            throw failure(element, "has '\(string)' for \(key), where YES or NO is expected")
        }
        return value
    }

    private func int(_ element: SourceElement, _ key: String) throws -> Int? {
        guard let string = element.attributes[key] else { return nil }
        guard let value = Int(string) else {
            throw failure(element, "has '\(string)' for \(key), where a number is expected")
        }
        return value
    }

    func predicate(_ format: String, _ element: SourceElement) throws -> NSPredicate {
        do {
            return try NSPredicate(validatingFormat: format, argumentArray: [])
        } catch {
            throw failure(element, "has a predicate that is not valid: \(Self.reason(error))")
        }
    }

    func expression(_ format: String, _ element: SourceElement) throws -> NSExpression {
        let expression = NSExpression(format: format, argumentArray: [])
        if let error = expression.formatError {
            throw failure(element, "has an expression that is not valid: \(Self.reason(error))")
        }
        return expression
    }

    /// What the parser says, which may quote a string of any length.
    private static func reason(_ error: any Error) -> String {
        var message = error.localizedDescription
        if message.hasSuffix(".") { message.removeLast() }
        return message.count > 300 ? "\(message.prefix(100)) … \(message.suffix(150))" : message
    }

    func failure(_ element: SourceElement, _ what: String) -> CocoaError {
        let name = element.attributes["name"] ?? element.attributes["property"]
        return ModelError.invalid(
            "The <\(element.name)>\(name.map { " '\($0)'" } ?? "") in line \(element.line) \(what).")
    }
}
