import Foundation
package import OpenCoreData

/// Everything that a model says about a property, an entity or itself, as named strings that can be compared.
package struct Facets {
    package typealias Facet = (name: String, value: String)

    private(set) var list: [Facet] = []

    private mutating func add(_ name: String, _ string: String?) {
        if let string, !string.isEmpty { list.append((name, string)) }
    }

    private mutating func add(_ name: String, _ flag: Bool) { if flag { list.append((name, "yes")) } }

    /// What one says and the other does not, or says differently; nil means that it says nothing.
    package static func changes(_ old: Facets, _ new: Facets) -> [(name: String, old: String?, new: String?)] {
        var names: [String] = []
        for name in (old.list + new.list).map(\.name) where !names.contains(name) { names.append(name) }
        return names.compactMap { name in
            let before = old.list.first { $0.name == name }?.value
            let after = new.list.first { $0.name == name }?.value
            return before == after ? nil : (name, before, after)
        }
    }

    // MARK: Models

    package init(of model: NSManagedObjectModel) {
        add(
            "version identifiers",
            model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
                .joined(separator: ", "))
        for name in model.configurations.sorted() {
            let members = model.entities(forConfigurationName: name) ?? []
            add("configuration \(name)", members.map(\.displayName).sorted().joined(separator: ", "))
        }
        for (name, request) in model.fetchRequestTemplates.sorted(by: { $0.key < $1.key }) {
            add("fetch request \(name)", Self.string(of: request))
        }
    }

    private static func string(of request: FetchRequestTemplate) -> String {
        var string = request.entityName ?? "?"
        if let format = predicateFormat(of: request) { string += " where \(format)" }
        if request.fetchLimit > 0 { string += ", limit \(request.fetchLimit)" }
        if request.fetchBatchSize > 0 { string += ", batches of \(request.fetchBatchSize)" }
        if !request.includesSubentities { string += ", without subentities" }
        if request.returnsDistinctResults { string += ", distinct" }
        return string
    }

    /// The predicate as it prints itself: source has it as it was typed, and a compiled model has the predicate alone.
    private static func predicateFormat(of request: FetchRequestTemplate) -> String? {
        let typed = request.predicateString.flatMap { try? NSPredicate(validatingFormat: $0, argumentArray: []) }
        return (typed ?? request.predicate)?.predicateFormat ?? request.predicateString
    }

    // MARK: Entities

    package init(of entity: NSEntityDescription) {
        add("name", entity.displayName)
        add("parent", entity.superentity?.name)
        add("class", entity.managedObjectClassName)
        add("abstract", entity.isAbstract)
        add(
            "uniqueness",
            entity.uniquenessConstraintNames.map { "(\($0.joined(separator: ", ")))" }.sorted()
                .joined(separator: " "))
        for index in entity.indexes.sorted(by: { $0.name < $1.name }) {
            let elements = index.elements.map { element in
                let expression = (element.property as? NSExpressionDescription)?.expression
                return (expression?.description ?? element.propertyName ?? "")
                    + (element.isAscending ? "" : " descending")
                    + (element.collationType == .rTree ? " in an R-tree" : "")
            }
            let condition = index.partialIndexPredicate.map { " where \($0.predicateFormat)" } ?? ""
            add("index \(index.name)", "(\(elements.joined(separator: ", ")))" + condition)
        }
        addIndexesOfFlags(entity)
        add("renaming identifier", entity.renamingIdentifier == entity.name ? nil : entity.renamingIdentifier)
        add("hash modifier", entity.versionHashModifier)
        add("user info", Self.string(of: entity.userInfo))
    }

    /// What a model of the old kind asks for, and a store's copy of it doesn't list: an index for each attribute with the
    /// flag, and compound indexes.
    private mutating func addIndexesOfFlags(_ entity: NSEntityDescription) {
        let known = entity.indexes.map { $0.elements.map { $0.propertyName ?? "" } }
        let flagged = entity.declaredProperties.filter { $0 is NSAttributeDescription && $0.isIndexedFlag }
        for names in flagged.map({ [$0.name] }) + entity.compoundIndexNames where !known.contains(names) {
            add("index \(names.joined(separator: "_"))", "(\(names.joined(separator: ", ")))")
        }
    }

    // MARK: Properties

    package init(of property: NSPropertyDescription) {
        add("name", property.name)
        switch property {
        case let attribute as NSAttributeDescription: addParts(of: attribute)
        case let relationship as NSRelationshipDescription: addParts(of: relationship)
        case let fetched as NSFetchedPropertyDescription:
            add("kind", "fetched property")
            add("fetches", fetched.template.map { Self.string(of: $0) })
        default: add("kind", "property")
        }
        add("optional", property.isOptional)
        add("transient", property.isTransient)
        add("validation", property.validationPredicates.map(\.predicateFormat).sorted().joined(separator: ", "))
        add("spotlight", property.isIndexedBySpotlight)
        add("renaming identifier", property.renamingIdentifier == property.name ? nil : property.renamingIdentifier)
        add("hash modifier", property.versionHashModifier)
        add("user info", Self.string(of: property.userInfo))
    }

    private mutating func addParts(of attribute: NSAttributeDescription) {
        add("kind", attribute is NSDerivedAttributeDescription ? "derived attribute" : "attribute")
        add("type", SourceValue.name(of: attribute.attributeType))
        add("default", attribute.defaultValue.map { SourceValue.string($0, of: attribute.attributeType) ?? "\($0)" })
        add("derivation", (attribute as? NSDerivedAttributeDescription)?.derivationText)
        add("transformer", attribute.valueTransformerName)
        add("value class", attribute.explicitValueClassName)
        add("external storage", attribute.allowsExternalBinaryDataStorage)
        add("kept in history", attribute.preservesValueInHistoryOnDeletion)
        add("cloud encryption", attribute.allowsCloudEncryption)
        if let composite = attribute as? NSCompositeAttributeDescription {
            for element in composite.elements {
                let string = Facets(of: element).list.filter { $0.name != "name" }.map { "\($0.name) \($0.value)" }
                add("element \(element.name)", string.joined(separator: ", "))
            }
        }
    }

    private mutating func addParts(of relationship: NSRelationshipDescription) {
        add("kind", "relationship")
        add("destination", relationship.destinationEntityName)
        add("inverse", relationship.inverseRelationshipName)
        add("count", Self.count(of: relationship))
        add("ordered", relationship.isOrdered)
        switch relationship.deleteRule {
        case .noActionDeleteRule: add("delete rule", "no action")
        case .nullifyDeleteRule: add("delete rule", "nullify")
        case .cascadeDeleteRule: add("delete rule", "cascade")
        case .denyDeleteRule: add("delete rule", "deny")
        }
    }

    private static func count(of relationship: NSRelationshipDescription) -> String {
        guard relationship.isToMany else { return "to one" }
        guard relationship.minCount > 0 || relationship.maxCount > 0 else { return "to many" }
        return "to many (\(relationship.minCount) to \(relationship.maxCount > 0 ? "\(relationship.maxCount)" : "any"))"
    }

    private static func string(of info: [AnyHashable: Any]?) -> String {
        (info ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ", ")
    }
}
