import Foundation

extension ModelArchiveDecoder {
    mutating func property(_ object: ArchivedObject, of entityName: String) throws -> NSPropertyDescription {
        guard let name = try object.string("NSPropertyName") else {
            throw ModelError.corrupt("A property of entity '\(entityName)' has no name.")
        }
        propertyBudget -= 1
        guard propertyBudget > 0 else {
            throw ModelError.corrupt("The archived model refers to a property too many times.")
        }
        let property: NSPropertyDescription
        switch object.className {
        case "NSAttributeDescription": property = NSAttributeDescription()
        case "NSDerivedAttributeDescription": property = NSDerivedAttributeDescription()
        case "NSCompositeAttributeDescription": property = NSCompositeAttributeDescription()
        case "NSRelationshipDescription": property = try relationship(object, path: "\(entityName).\(name)")
        case "NSFetchedPropertyDescription": property = NSFetchedPropertyDescription()
        case "NSExpressionDescription": property = NSExpressionDescription()
        default:
            throw ModelError.corrupt(
                "The property '\(entityName).\(name)' is of the class \(object.className), which is not a property.")
        }
        property.name = name
        try decodeCommon(object, into: property)
        switch property {
        case let attribute as NSAttributeDescription:
            try decode(object, into: attribute, path: "\(entityName).\(name)")
        case let fetched as NSFetchedPropertyDescription: try decode(object, into: fetched)
        case let expression as NSExpressionDescription:
            expression.expression = try object.object("NSExpression").map { try predicates.expression($0) }
            expression.expressionResultType = try attributeType(
                object, "NSExpressionType", path: "\(entityName).\(name)")
        default: break
        }
        return property
    }

    private mutating func decodeCommon(_ object: ArchivedObject, into property: NSPropertyDescription) throws {
        property.isOptional = try object.bool("NSIsOptional")
        property.isTransient = try object.bool("NSIsTransient")
        property.isIndexedBySpotlight = try object.bool("NSIndexedBySpotlight")
        property.isIndexedFlag = try object.bool("NSIsIndexed")
        property.isStoredInExternalRecordFlag = try object.bool("NSIsStoredInExternalRecord")
        property.versionHashModifier = try object.string("NSVersionHashModifier")
        property.explicitRenamingIdentifier = try object.string("NSRenamingIdentifier")
            .flatMap { $0 == property.name ? nil : $0 }
        property.userInfo = try userInfo(of: object)
        let archived = try object.objects("NSValidationPredicates")
        var warnings: [Any] = []
        for warning in try object.array("NSValidationWarnings") ?? [] {
            warnings.append(try values.decode(warning) ?? NSNull())
        }
        property.setValidation(predicates: try archived.map { try predicates.predicate($0) }, warnings: warnings)
    }

    private mutating func decode(_ object: ArchivedObject, into attribute: NSAttributeDescription, path: String) throws
    {
        attribute.attributeType = try attributeType(object, "NSAttributeType", path: path)
        attribute.explicitValueClassName = try object.string("NSAttributeValueClassName")
            .flatMap { $0 == attribute.attributeType.defaultValueClassName ? nil : $0 }
        attribute.defaultValue = try values.decode(try object.value("NSDefaultValue"))
        attribute.valueTransformerName = try object.string("NSValueTransformerName")
        let flags = try object.int("NSFlagsKey")
        attribute.allowsExternalBinaryDataStorage = flags & ArchivedFlags.externalStorage != 0
        attribute.preservesValueInHistoryOnDeletion = flags & ArchivedFlags.preservedAfterDeletion != 0
        attribute.allowsCloudEncryption = try object.bool("NSAllowsCloudEncryption")
        if let derived = attribute as? NSDerivedAttributeDescription {
            derived.derivationExpression = try object.object("NSDerivationExpression").map {
                try predicates.expression($0)
            }
            derived.filteringPredicate = try object.object("NSFilteringPredicate").map { try predicates.predicate($0) }
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            try decodeElements(object, of: composite, path: path)
        }
    }

    private mutating func decodeElements(
        _ object: ArchivedObject, of composite: NSCompositeAttributeDescription, path: String
    ) throws {
        guard path.utf8.count(where: { $0 == UInt8(ascii: ".") }) < 32 else {
            throw ModelError.invalid("The composite attribute '\(path)' is nested too deeply.")
        }
        composite.compositeName = try object.string("NSCompositeName")
        // Earlier versions of this engine wrote the elements under a key of their own.
        let isOlder = try object.array("NSCompositeElements") == nil
        composite.elements = try object.objects(isOlder ? "NSElements" : "NSCompositeElements").map { element in
            guard let attribute = try property(element, of: path) as? NSAttributeDescription else {
                throw ModelError.corrupt("The composite attribute '\(path)' has an element that is not an attribute.")
            }
            return attribute
        }
    }

    private func attributeType(_ object: ArchivedObject, _ key: String, path: String) throws -> NSAttributeType {
        let raw = try object.int(key)
        guard let type = UInt(exactly: raw).flatMap(NSAttributeType.init(rawValue:)) else {
            throw ModelError.corrupt("The attribute '\(path)' is of the unknown type \(raw).")
        }
        return type
    }

    private func relationship(_ object: ArchivedObject, path: String) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        let rawRule = try object.int("NSDeleteRule", default: 1)
        guard let rule = UInt(exactly: rawRule).flatMap(NSDeleteRule.init(rawValue:)) else {
            throw ModelError.corrupt("The relationship '\(path)' has the unknown delete rule \(rawRule).")
        }
        relationship.deleteRule = rule
        relationship.minCount = try object.int("NSMinCount")
        relationship.maxCount = try object.int("NSMaxCount")
        relationship.isOrdered = try object.bool("NSIsOrdered")
        let destination =
            try object.object("NSDestinationEntity", "NSEntityDescription")?.string("NSEntityName")
            ?? object.string("_NSDestinationEntityName")
        let inverse =
            try object.object("NSInverseRelationship")?.string("NSPropertyName")
            ?? object.string("_NSInverseRelationshipName")
        relationship.setEnds(destinationName: destination, inverseName: inverse)
        return relationship
    }

    private mutating func decode(_ object: ArchivedObject, into fetched: NSFetchedPropertyDescription) throws {
        guard let archived = try object.object("NSFetchRequest", "NSFetchRequest") else { return }
        var template = try fetchRequest(archived, name: "fetchedPropertyFetchRequest")
        template.entityName = try template.entityName ?? object.string("_NSFetchRequestEntityName")
        fetched.template = template
    }

    mutating func fetchRequest(_ object: ArchivedObject, name: String) throws -> FetchRequestTemplate {
        guard object.className == "NSFetchRequest" else {
            throw ModelError.corrupt("The fetch request '\(name)' is of the class \(object.className).")
        }
        let entity = try object.object("NSEntity", "NSEntityDescription")
        var template = FetchRequestTemplate(
            name: name, entityName: try entity?.string("NSEntityName") ?? object.string("NSEntityName"))
        template.predicate = try object.object("NSPredicate").map { try predicates.predicate($0) }
        template.havingPredicate = try object.object("NSHavingPredicate").map { try predicates.predicate($0) }
        template.sortKeys = try object.objects("NSSortDescriptors", "NSSortDescriptor").map { descriptor in
            FetchRequestTemplate.SortKey(
                key: try descriptor.string("NSKey") ?? "", ascending: try descriptor.bool("NSAscending"),
                selectorName: try descriptor.string("NSSelector"))
        }
        template.fetchLimit = try object.int("NSFetchLimit")
        template.fetchOffset = try object.int("NSFetchOffset")
        template.fetchBatchSize = try object.int("NSBatchSize")
        template.resultType = UInt(clamping: try object.int("NSResultType"))
        template.propertiesToFetch = try propertyNames(object, "NSValuesToFetch")
        template.propertiesToGroupBy = try propertyNames(object, "NSValuesToGroupBy")
        template.relationshipKeyPathsForPrefetching = try object.strings("NSRelationshipKeyPathsForPrefetching")
        if try object.bool("NSHasFetchRequestFlags") {
            ArchivedFlags.read(try object.int("NSFetchRequestFlags"), into: &template)
        }
        return template
    }

    private func propertyNames(_ object: ArchivedObject, _ key: String) throws -> [String] {
        try (try object.array(key) ?? []).map { element in
            switch element {
            case .string(let string): return string
            case .object(let property):
                guard let name = try property.string("NSPropertyName") else {
                    throw object.wrongKind(key, "properties")
                }
                return name
            default: throw object.wrongKind(key, "properties")
            }
        }
    }
}

/// Numbers in archives whose bits have a meaning.
enum ArchivedFlags {
    // NSFlagsKey of attributes.
    static let externalStorage = 4
    static let preservedAfterDeletion = 16

    // NSFetchRequestFlags. A request with the defaults has 30; which bit is which is inferred from the order of the
    // properties, as no file with other values is known.
    private static let distinct = 1
    private static let subentities = 2
    private static let propertyValues = 4
    private static let asFaults = 8
    private static let pendingChanges = 16

    static func read(_ flags: Int, into template: inout FetchRequestTemplate) {
        template.returnsDistinctResults = flags & distinct != 0
        template.includesSubentities = flags & subentities != 0
        template.includesPropertyValues = flags & propertyValues != 0
        template.returnsObjectsAsFaults = flags & asFaults != 0
        template.includesPendingChanges = flags & pendingChanges != 0
    }

    static func flags(of template: FetchRequestTemplate) -> Int {
        (template.returnsDistinctResults ? distinct : 0) | (template.includesSubentities ? subentities : 0)
            | (template.includesPropertyValues ? propertyValues : 0) | (template.returnsObjectsAsFaults ? asFaults : 0)
            | (template.includesPendingChanges ? pendingChanges : 0)
    }

    /// The `_P` field of a property.
    static func propertyFlags(of property: NSPropertyDescription, isReadOnly: Bool) -> Int {
        var flags = 1
        if property.isOptional { flags |= 0x002 }
        if isReadOnly { flags |= 0x004 }
        if property.isTransient { flags |= 0x008 }
        if property.validationPredicates.isEmpty { flags |= 0x010 }
        if property.validationWarnings.isEmpty { flags |= 0x020 }
        if (property.userInfo ?? [:]).isEmpty { flags |= 0x040 }
        if property.versionHashModifier == nil { flags |= 0x080 }
        if property.isIndexedBySpotlight { flags |= 0x100 }
        if (property as? NSRelationshipDescription)?.isOrdered == true { flags |= 0x400 }
        if (property as? NSAttributeDescription)?.allowsCloudEncryption == true { flags |= 0x800 }
        return flags
    }
}
