import Foundation

extension NSPropertyDescription {
    /// The attributes of the property's element in the source of a model.
    ///
    /// - Throws: a `CocoaError` that names what source cannot express.
    func sourceAttributes() throws -> ModelSourceWriter.Attributes {
        switch self {
        case let attribute as NSAttributeDescription: try attribute.attributeSource()
        case let relationship as NSRelationshipDescription: relationship.relationshipSource()
        default: ["name": name, "optional": isOptional ? "YES" : nil, "versionHashModifier": versionHashModifier]
        }
    }
}

extension NSAttributeDescription {
    fileprivate func attributeSource() throws -> ModelSourceWriter.Attributes {
        let limits = try SourceLimits.attributes(of: self)
        let derived = self as? NSDerivedAttributeDescription
        let isDate = attributeType == .dateAttributeType
        let string = try defaultValueString()
        return [
            "name": name, "optional": isOptional ? "YES" : nil, "transient": isTransient ? "YES" : nil,
            "attributeType": attributeType == .undefinedAttributeType ? nil : SourceValue.name(of: attributeType),
            "valueTransformerName": valueTransformerName, "customClassName": explicitValueClassName,
            "minValueString": limits["minValueString"], "maxValueString": limits["maxValueString"],
            "minDateTimeInterval": limits["minDateTimeInterval"], "maxDateTimeInterval": limits["maxDateTimeInterval"],
            "regularExpressionString": limits["regularExpressionString"],
            "defaultDateTimeInterval": isDate ? string : nil, "defaultValueString": isDate ? nil : string,
            "allowsExternalBinaryDataStorage": allowsExternalBinaryDataStorage ? "YES" : nil,
            "allowsCloudEncryption": allowsCloudEncryption ? "YES" : nil,
            "preserveAfterDeletion": preservesValueInHistoryOnDeletion ? "YES" : nil,
            "spotlightIndexingEnabled": isIndexedBySpotlight ? "YES" : nil,
            "storedInTruthFile": isStoredInExternalRecordFlag ? "YES" : nil,
            "indexed": needsIndexedFlag ? "YES" : lacksImpliedIndex ? "NO" : nil,
            "derived": derived == nil ? nil : "YES", "derivationExpression": derived?.derivationExpression?.description,
            "composite": (self as? NSCompositeAttributeDescription).map { $0.compositeName ?? $0.name },
            "versionHashModifier": versionHashModifier, "elementID": explicitRenamingIdentifier,
        ]
    }

    /// Whether the flag is set and does not follow from an index of another name.
    private var needsIndexedFlag: Bool {
        isIndexedFlag
            && declaringEntity?.indexes.contains { $0.elementNames == [name] && $0.name != name } != true
    }

    private var lacksImpliedIndex: Bool { declaringEntity?.lacksImpliedIndex(self) == true }

    private func defaultValueString() throws -> String? {
        guard let defaultValue else { return nil }
        if let string = SourceValue.string(defaultValue, of: attributeType) { return string }
        throw ModelError.unsupported(
            "The default value of attribute '\(name)' is of the type \(Swift.type(of: defaultValue)), "
                + "which cannot be written as model source.")
    }

    /// What Xcode writes for a new attribute; nil where it writes nothing.
    var usesScalarValueInNewSource: Bool? {
        switch attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType, .booleanAttributeType:
            true
        case .dateAttributeType, .UUIDAttributeType: false
        default: nil
        }
    }
}

extension NSRelationshipDescription {
    fileprivate func relationshipSource() -> ModelSourceWriter.Attributes {
        [
            "name": name, "optional": isOptional ? "YES" : nil, "transient": isTransient ? "YES" : nil,
            "toMany": isToMany ? "YES" : nil, "minCount": minCount == 0 ? nil : "\(minCount)",
            "maxCount": maxCount == 0 ? nil : "\(maxCount)",
            "deletionRule": SourceValue.deleteRuleNames.first { $0.rule == deleteRule }?.name,
            "ordered": isOrdered ? "YES" : nil, "destinationEntity": destinationEntityName,
            "inverseName": inverseRelationshipName,
            "inverseEntity": inverseRelationshipName == nil ? nil : destinationEntityName,
            "indexed": isIndexedFlag ? "YES" : nil, "spotlightIndexingEnabled": isIndexedBySpotlight ? "YES" : nil,
            "versionHashModifier": versionHashModifier, "elementID": explicitRenamingIdentifier,
        ]
    }
}

extension FetchRequestTemplate {
    /// The attributes of the request's element in the source of a model.
    ///
    /// - Throws: a `CocoaError` for what source cannot express.
    func sourceAttributes() throws -> ModelSourceWriter.Attributes {
        guard sortKeys.isEmpty, fetchOffset == 0, propertiesToFetch.isEmpty, propertiesToGroupBy.isEmpty,
            havingPredicate == nil, relationshipKeyPathsForPrefetching.isEmpty
        else {
            throw ModelError.unsupported(
                "The fetch request '\(name)' sorts, groups, skips, prefetches or picks properties, "
                    + "which cannot be written as model source.")
        }
        return [
            "name": name, "entity": entityName, "predicateString": predicateString ?? predicate?.predicateFormat,
            "fetchLimit": fetchLimit == 0 ? nil : "\(fetchLimit)",
            "fetchBatchSize": fetchBatchSize == 0 ? nil : "\(fetchBatchSize)",
            "resultType": resultType == 0 ? nil : "\(resultType)",
            "includeSubentities": includesSubentities ? nil : "NO",
            "includePropertyValues": includesPropertyValues ? nil : "NO",
            "includesPendingChanges": includesPendingChanges ? nil : "NO",
            "returnObjectsAsFaults": returnsObjectsAsFaults ? nil : "NO",
            "returnDistinctResults": returnsDistinctResults ? "YES" : nil,
        ]
    }
}
