import Foundation

extension ModelArchiveEncoder {
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
            fields.append(("NSUserInfo", .reference(try ArchivedValueEncoder.addDictionary(info, to: &writer))))
        }
        if !property.validationPredicates.isEmpty {
            let predicates = try property.validationPredicates.map { try PredicateArchiveEncoder.add($0, to: &writer) }
            fields.append(("NSValidationPredicates", .reference(writer.array(predicates))))
        }
        if !property.validationWarnings.isEmpty {
            let warnings = try property.validationWarnings.map { try ArchivedValueEncoder.add($0, to: &writer) }
            fields.append(("NSValidationWarnings", .reference(writer.array(warnings))))
        }
        let className = try addSpecific(property, to: &fields)
        writer.fill(target, className, fields)
    }

    private func flags(of property: NSPropertyDescription, isReadOnly: Bool) -> [(String, Bool)] {
        [
            ("NSIsOptional", property.isOptional), ("NSIsTransient", property.isTransient),
            ("NSIsReadOnly", isReadOnly),
            ("NSIsIndexed", property.isIndexedFlag), ("NSIndexedBySpotlight", property.isIndexedBySpotlight),
            ("NSIsStoredInExternalRecord", property.isStoredInExternalRecordFlag),
            ("NSIsOrdered", (property as? NSRelationshipDescription)?.isOrdered ?? false),
            ("NSAllowsCloudEncryption", (property as? NSAttributeDescription)?.allowsCloudEncryption ?? false),
        ]
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
            let expression = try description.expression.map { try PredicateArchiveEncoder.add($0, to: &writer) }
            fields.append(("NSExpression", .reference(expression ?? KeyedArchiveWriter.null)))
            fields.append(("NSExpressionType", .integer(Int(description.expressionResultType.rawValue))))
            return "NSExpressionDescription"
        default:
            throw ModelError.invalid("The property '\(property.name)' is neither an attribute nor a relationship.")
        }
    }

    private mutating func addAttribute(_ attribute: NSAttributeDescription, to fields: inout [Field]) throws -> String {
        let isBoolean = attribute.attributeType == .booleanAttributeType
        let flags =
            (attribute.allowsExternalBinaryDataStorage ? ArchivedFlags.externalStorage : 0)
            | (attribute.preservesValueInHistoryOnDeletion ? ArchivedFlags.preservedAfterDeletion : 0)
        fields += [
            ("NSAttributeType", .integer(Int(attribute.attributeType.rawValue))),
            ("NSAttributeValueClassName", .reference(writer.string(attribute.attributeValueClassName))),
            (
                "NSDefaultValue",
                .reference(try ArchivedValueEncoder.add(attribute.defaultValue, isBoolean: isBoolean, to: &writer))
            ),
            ("NSValueTransformerName", .reference(writer.string(attribute.valueTransformerName))),
            ("NSFlagsKey", .integer(flags)),
        ]
        if let derived = attribute as? NSDerivedAttributeDescription {
            let expression = try derived.derivationExpression.map { try PredicateArchiveEncoder.add($0, to: &writer) }
            let filter = try derived.filteringPredicate.map { try PredicateArchiveEncoder.add($0, to: &writer) }
            fields.append(("NSDerivationExpression", .reference(expression ?? KeyedArchiveWriter.null)))
            fields.append(("NSFilteringPredicate", .reference(filter ?? KeyedArchiveWriter.null)))
            return "NSDerivedAttributeDescription"
        }
        guard let composite = attribute as? NSCompositeAttributeDescription else { return "NSAttributeDescription" }
        let elements = try composite.elements.map { element in
            let target = writer.reserve()
            try add(element, as: target, in: nil)
            return target
        }
        fields.append(("NSElements", .reference(writer.array(elements))))
        fields.append(("NSCompositeName", .reference(writer.string(composite.compositeName))))
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
        let predicate = try template.effectivePredicate().map { try PredicateArchiveEncoder.add($0, to: &writer) }
        let having = try template.havingPredicate.map { try PredicateArchiveEncoder.add($0, to: &writer) }
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
                ("NSPredicate", .reference(predicate ?? KeyedArchiveWriter.null)),
                ("NSSortDescriptors", .reference(sortKeys.isEmpty ? KeyedArchiveWriter.null : writer.array(sortKeys))),
                ("NSFetchLimit", .integer(template.fetchLimit)), ("NSFetchOffset", .integer(template.fetchOffset)),
                ("NSBatchSize", .integer(template.fetchBatchSize)),
                ("NSResultType", .integer(Int(template.resultType))),
                ("NSHasFetchRequestFlags", .bool(true)),
                ("NSFetchRequestFlags", .integer(ArchivedFlags.flags(of: template))), ("NSAllocationType", .integer(0)),
                ("NSValuesToFetch", .reference(addNames(template.propertiesToFetch))),
                ("NSValuesToGroupBy", .reference(addNames(template.propertiesToGroupBy))),
                ("NSHavingPredicate", .reference(having ?? KeyedArchiveWriter.null)),
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
