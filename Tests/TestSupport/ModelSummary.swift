public import OpenCoreData

/// What a model says, as sorted lines of text, to compare two models and show where they differ.
public enum ModelSummary {
    /// The lines, sorted.
    public static func lines(of model: NSManagedObjectModel) -> [String] {
        var lines = model.versionIdentifiers.map { "version \($0)" }
        for entity in model.entities {
            let name = entity.name ?? ""
            lines += entityLines(entity).map { "\(name): \($0)" }
            for property in entity.declaredProperties {
                lines += propertyLines(property).map { "\(name).\(property.name): \($0)" }
            }
        }
        for configuration in model.configurations {
            let members = model.entities(forConfigurationName: configuration) ?? []
            lines.append("configuration \(configuration) \(members.map { $0.name ?? "" })")
        }
        for (name, template) in model.fetchRequestTemplates { lines.append("request \(name) \(text(template))") }
        return lines.sorted()
    }

    /// The lines that only one of two models has.
    public static func differences(_ first: NSManagedObjectModel, _ second: NSManagedObjectModel) -> [String] {
        let (before, after) = (Set(lines(of: first)), Set(lines(of: second)))
        return before.subtracting(after).map { "- \($0)" }.sorted()
            + after.subtracting(before).map { "+ \($0)" }.sorted()
    }

    private static func entityLines(_ entity: NSEntityDescription) -> [String] {
        var lines = [
            "class \(entity.managedObjectClassName ?? "-")", "abstract \(entity.isAbstract)",
            "parent \(entity.superentity?.name ?? "-")", "renamed \(entity.renamingIdentifier ?? "-")",
            "unique \(entity.uniquenessConstraintNames)", "compound \(entity.compoundIndexNames)",
            "modifier \(entity.versionHashModifier ?? "-")", "info \(text(entity.userInfo))",
        ]
        for index in entity.indexes {
            let elements = index.elements.map(text)
            lines.append("index \(index.name) \(elements) where \(index.partialIndexPredicate?.predicateFormat ?? "-")")
        }
        return lines
    }

    private static func text(_ element: NSFetchIndexElementDescription) -> String {
        var text = element.propertyName ?? "-"
        if let expression = element.property as? NSExpressionDescription {
            text += " = \(expression.expression?.description ?? "-") (\(expression.expressionResultType.rawValue))"
        }
        return text + (element.isAscending ? " up" : " down") + " \(element.collationType.rawValue)"
    }

    private static func propertyLines(_ property: NSPropertyDescription) -> [String] {
        var lines = [
            "optional \(property.isOptional)", "transient \(property.isTransient)",
            "renamed \(property.renamingIdentifier ?? "-")", "modifier \(property.versionHashModifier ?? "-")",
            "info \(text(property.userInfo))", "indexed \(property.isIndexedFlag)",
            "spotlight \(property.isIndexedBySpotlight)",
        ]
        for (predicate, warning) in zip(property.validationPredicates, property.validationWarnings) {
            lines.append("valid \(predicate.predicateFormat) else \(warning)")
        }
        switch property {
        case let attribute as NSAttributeDescription: lines += attributeLines(attribute)
        case let relationship as NSRelationshipDescription: lines += relationshipLines(relationship)
        case let fetched as NSFetchedPropertyDescription: lines.append("fetches \(fetched.template.map(text) ?? "-")")
        default: lines.append("is a \(type(of: property))")
        }
        return lines
    }

    private static func attributeLines(_ attribute: NSAttributeDescription) -> [String] {
        var lines = [
            "type \(attribute.attributeType.rawValue)", "value class \(attribute.attributeValueClassName ?? "-")",
            "default \(attribute.defaultValue.map { "\($0)" } ?? "-")",
            "transformer \(attribute.valueTransformerName ?? "-")",
            "external \(attribute.allowsExternalBinaryDataStorage)",
            "kept \(attribute.preservesValueInHistoryOnDeletion)", "cloud \(attribute.allowsCloudEncryption)",
        ]
        if let derived = attribute as? NSDerivedAttributeDescription {
            lines.append("derived \(derived.derivationExpression?.description ?? "-")")
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            for element in composite.elements {
                lines += propertyLines(element).map { "element \(element.name): \($0)" }
            }
        }
        return lines
    }

    private static func relationshipLines(_ relationship: NSRelationshipDescription) -> [String] {
        [
            "to \(relationship.destinationEntity?.name ?? "-")",
            "inverse \(relationship.inverseRelationship?.name ?? "-")",
            "count \(relationship.minCount) \(relationship.maxCount)", "rule \(relationship.deleteRule.rawValue)",
            "ordered \(relationship.isOrdered)",
        ]
    }

    private static func text(_ template: FetchRequestTemplate) -> String {
        let predicate = (try? template.effectivePredicate())?.predicateFormat ?? "-"
        var text = "\(template.entityName ?? "-") where \(predicate) by "
        text += template.sortKeys.map { "\($0.key) \($0.ascending)" }.joined(separator: ", ")
        text += " limit \(template.fetchLimit) offset \(template.fetchOffset) batch \(template.fetchBatchSize)"
        text += " flags \(template.includesSubentities) \(template.includesPropertyValues)"
        text +=
            " \(template.includesPendingChanges) \(template.returnsObjectsAsFaults) \(template.returnsDistinctResults)"
        text += " picks \(template.propertiesToFetch) groups \(template.propertiesToGroupBy)"
        text += " having \(template.havingPredicate?.predicateFormat ?? "-")"
        return text + " prefetches \(template.relationshipKeyPathsForPrefetching)"
    }

    private static func text(_ info: [AnyHashable: Any]?) -> String {
        (info ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ", ")
    }
}
