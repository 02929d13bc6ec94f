import Foundation

extension ModelArchiveEncoder {
    /// The reference of a part that an application may have filled with what can't be archived, as a closure or a value of a
    /// type without coding. The copy that a store keeps, which is never what its objects are made by, goes without such a part.
    mutating func part(_ add: (inout KeyedArchiveWriter) throws -> Int) throws -> Int {
        do {
            return try add(&writer)
        } catch  where form == .modelCache {
            return KeyedArchiveWriter.null
        }
    }

    mutating func part(_ predicate: NSPredicate?) throws -> Int {
        guard let predicate else { return KeyedArchiveWriter.null }
        return try part { try PredicateArchiveEncoder.add(predicate, to: &$0) }
    }

    private mutating func part(_ expression: NSExpression?) throws -> Int {
        guard let expression else { return KeyedArchiveWriter.null }
        return try part { try PredicateArchiveEncoder.add(expression, to: &$0) }
    }

    /// The reference of a dictionary of the application's.
    mutating func userInfo(_ info: [AnyHashable: Any]) throws -> Int {
        guard form == .modelCache else { return try ArchivedValueEncoder.addDictionary(info, to: &writer) }
        // What can't be archived is left out, and the rest is kept.
        return try ArchivedValueEncoder.addDictionary(
            info.filter { entry in
                var draft = KeyedArchiveWriter()
                return (try? ArchivedValueEncoder.addDictionary([entry.key: entry.value], to: &draft)) != nil
            }, to: &writer)
    }

    mutating func add(_ property: NSPropertyDescription, as target: Int, in entity: NSEntityDescription?) throws {
        let isReadOnly =
            property is NSDerivedAttributeDescription || property is NSFetchedPropertyDescription
            || property is NSExpressionDescription
        var fields: [Field] = [
            ("NSPropertyName", .reference(writer.string(property.name))),
            ("NSEntity", .reference(reference(of: entity))),
            ("NSRenamingIdentifier", .reference(writer.string(property.explicitRenamingIdentifier ?? property.name))),
            ("_P", .integer(ArchivedFlags.propertyFlags(of: property, isReadOnly: isReadOnly))),
        ]
        for (key, value) in flags(of: property, isReadOnly: isReadOnly) where value {
            fields.append((key, .bool(true)))
        }
        if let modifier = property.versionHashModifier {
            fields.append(("NSVersionHashModifier", .reference(writer.string(modifier))))
        }
        if let info = property.userInfo, !info.isEmpty {
            fields.append(("NSUserInfo", .reference(try userInfo(info))))
        }
        if !property.validationPredicates.isEmpty {
            let predicates = try property.validationPredicates.map { predicate in
                let reference = try part(predicate)
                return reference == KeyedArchiveWriter.null ? writer.add("NSTruePredicate", []) : reference
            }
            fields.append(("NSValidationPredicates", .reference(writer.array(predicates))))
        }
        if !property.validationWarnings.isEmpty {
            let warnings = try property.validationWarnings.map { warning in
                try part { try ArchivedValueEncoder.add(warning, to: &$0) }
            }
            fields.append(("NSValidationWarnings", .reference(writer.array(warnings))))
        }
        let className = try addSpecific(property, to: &fields)
        writer.fill(target, className, fields)
    }

    private func flags(of property: NSPropertyDescription, isReadOnly: Bool) -> [(String, Bool)] {
        [
            ("NSIsOptional", property.isOptional), ("NSIsTransient", property.isTransient),
            ("NSIsReadOnly", isReadOnly),
            ("NSIsIndexed", isIndexed(property)), ("NSIndexedBySpotlight", property.isIndexedBySpotlight),
            ("NSIsStoredInExternalRecord", property.isStoredInExternalRecordFlag),
            ("NSIsOrdered", (property as? NSRelationshipDescription)?.isOrdered ?? false),
            ("NSAllowsCloudEncryption", (property as? NSAttributeDescription)?.allowsCloudEncryption ?? false),
        ]
    }

    /// The flag, unless a reader of the file would add an index for it that the model doesn't have.
    private func isIndexed(_ property: NSPropertyDescription) -> Bool {
        guard property.isIndexedFlag, form == .compiledModel, let attribute = property as? NSAttributeDescription else {
            return property.isIndexedFlag
        }
        return attribute.declaringEntity?.lacksImpliedIndex(attribute) != true
    }

    /// Adds what only one kind of property has, and returns the name of its class.
    private mutating func addSpecific(_ property: NSPropertyDescription, to fields: inout [Field]) throws -> String {
        switch property {
        case let attribute as NSAttributeDescription: return try addAttribute(attribute, to: &fields)
        case let relationship as NSRelationshipDescription:
            addRelationship(relationship, to: &fields)
            return "NSRelationshipDescription"
        case let fetched as NSFetchedPropertyDescription:
            let request = try fetched.template.map { try add($0) } ?? KeyedArchiveWriter.null
            fields.append(("NSFetchRequest", .reference(request)))
            fields.append(("_NSFetchRequestEntityName", .reference(writer.string(fetched.template?.entityName))))
            return "NSFetchedPropertyDescription"
        case let description as NSExpressionDescription:
            fields.append(("NSExpression", .reference(try part(description.expression))))
            fields.append(("NSExpressionType", .integer(Int(description.expressionResultType.rawValue))))
            return "NSExpressionDescription"
        default:
            throw ModelError.invalid("The property '\(property.name)' is neither an attribute nor a relationship.")
        }
    }

    private mutating func addAttribute(_ attribute: NSAttributeDescription, to fields: inout [Field]) throws -> String {
        let isBoolean = attribute.attributeType == .booleanAttributeType
        let defaultValue = try part {
            try ArchivedValueEncoder.add(attribute.defaultValue, isBoolean: isBoolean, to: &$0)
        }
        let flags =
            (attribute.allowsExternalBinaryDataStorage ? ArchivedFlags.externalStorage : 0)
            | (attribute.preservesValueInHistoryOnDeletion ? ArchivedFlags.preservedAfterDeletion : 0)
        fields += [
            ("NSAttributeType", .integer(Int(attribute.attributeType.rawValue))),
            ("NSAttributeValueClassName", .reference(writer.string(attribute.attributeValueClassName))),
            ("NSDefaultValue", .reference(defaultValue)),
            ("NSValueTransformerName", .reference(writer.string(attribute.valueTransformerName))),
            ("NSFlagsKey", .integer(flags)),
        ]
        if let derived = attribute as? NSDerivedAttributeDescription {
            fields.append(
                (
                    "NSDerivationExpression",
                    .reference(try part(derived.derivationExpression?.withFunctionsForOperators))
                ))
            fields.append(("NSFilteringPredicate", .reference(try part(derived.filteringPredicate))))
            return "NSDerivedAttributeDescription"
        }
        guard let composite = attribute as? NSCompositeAttributeDescription else { return "NSAttributeDescription" }
        let elements = try composite.elements.map { element in
            let target = writer.reserve()
            try add(element, as: target, in: nil)
            return target
        }
        fields.append(("NSCompositeElements", .reference(writer.array(elements))))
        // Apple's archives have no such key; what a store keeps has nothing that they don't.
        if form == .compiledModel, let name = composite.compositeName, name != composite.name {
            fields.append(("NSCompositeName", .reference(writer.string(name))))
        }
        return "NSCompositeAttributeDescription"
    }

    private mutating func addRelationship(_ relationship: NSRelationshipDescription, to fields: inout [Field]) {
        fields += [
            ("NSDestinationEntity", .reference(reference(of: relationship.destinationEntity))),
            ("_NSDestinationEntityName", .reference(writer.string(relationship.destinationEntityName))),
            ("NSInverseRelationship", .reference(reference(of: relationship.inverseRelationship))),
            ("_NSInverseRelationshipName", .reference(writer.string(relationship.inverseRelationshipName))),
            ("NSDeleteRule", .integer(Int(relationship.deleteRule.rawValue))),
            ("NSMinCount", .integer(relationship.minCount)), ("NSMaxCount", .integer(relationship.maxCount)),
        ]
    }

    mutating func add(_ template: FetchRequestTemplate) throws -> Int {
        let predicate = try part(try template.effectivePredicate())
        let having = try part(template.havingPredicate)
        let sortKeys = template.sortKeys.map { key in
            writer.add(
                "NSSortDescriptor",
                [
                    ("NSKey", .reference(writer.string(key.key))), ("NSAscending", .bool(key.ascending)),
                    ("NSSelector", .reference(writer.string(key.selectorName ?? "compare:"))),
                    ("NSReverseNullOrder", .bool(false)),
                ])
        }
        return writer.add(
            "NSFetchRequest",
            [
                ("NSEntity", .reference(reference(of: template.entityName.flatMap { model.entitiesByName[$0] }))),
                ("NSPredicate", .reference(predicate)),
                ("NSSortDescriptors", .reference(sortKeys.isEmpty ? KeyedArchiveWriter.null : writer.array(sortKeys))),
                ("NSFetchLimit", .integer(template.fetchLimit)), ("NSFetchOffset", .integer(template.fetchOffset)),
                ("NSBatchSize", .integer(template.fetchBatchSize)),
                ("NSResultType", .integer(Int(template.resultType))),
                ("NSHasFetchRequestFlags", .bool(true)),
                ("NSFetchRequestFlags", .integer(ArchivedFlags.flags(of: template))), ("NSAllocationType", .integer(0)),
                ("NSValuesToFetch", .reference(addNames(template.propertiesToFetch))),
                ("NSValuesToGroupBy", .reference(addNames(template.propertiesToGroupBy))),
                ("NSHavingPredicate", .reference(having)),
                (
                    "NSRelationshipKeyPathsForPrefetching",
                    .reference(addNames(template.relationshipKeyPathsForPrefetching))
                ),
            ])
    }

    private mutating func addNames(_ names: [String]) -> Int {
        guard !names.isEmpty else { return KeyedArchiveWriter.null }
        return writer.array(names.map { writer.string($0) })
    }
}
