import Foundation

extension NSPropertyDescription {
    /// Whether a property of the same kind and name has the same contents.
    final func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard hasSameCommonContents(as: other) else { return false }
        switch (self, other) {
        case (let mine as NSAttributeDescription, let other as NSAttributeDescription):
            return mine.hasSameValues(as: other)
        case (let mine as NSRelationshipDescription, let other as NSRelationshipDescription):
            return mine.hasSameEnds(as: other)
        case (let mine as NSFetchedPropertyDescription, let other as NSFetchedPropertyDescription):
            return mine.template == other.template
        case (let mine as NSExpressionDescription, let other as NSExpressionDescription):
            return mine.expression == other.expression && mine.expressionResultType == other.expressionResultType
        default: return true
        }
    }

    private func hasSameCommonContents(as other: NSPropertyDescription) -> Bool {
        isOptional == other.isOptional && isTransient == other.isTransient
            && isIndexedBySpotlight == other.isIndexedBySpotlight && versionHashModifier == other.versionHashModifier
            && renamingIdentifier == other.renamingIdentifier && isIndexedFlag == other.isIndexedFlag
            && isStoredInExternalRecordFlag == other.isStoredInExternalRecordFlag
            && validationPredicates == other.validationPredicates
            && ContentEquality.equalLists(validationWarnings, other.validationWarnings)
            && ContentEquality.equal(userInfo, other.userInfo)
    }
}

extension NSAttributeDescription {
    fileprivate final func hasSameValues(as other: NSAttributeDescription) -> Bool {
        guard attributeType == other.attributeType && attributeValueClassName == other.attributeValueClassName,
            valueTransformerName == other.valueTransformerName,
            allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage,
            preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion,
            allowsCloudEncryption == other.allowsCloudEncryption,
            (freshDefault == nil) == (other.freshDefault == nil),
            ContentEquality.equal(defaultValue, other.defaultValue)
        else { return false }
        switch (self, other) {
        case (let mine as NSDerivedAttributeDescription, let other as NSDerivedAttributeDescription):
            return mine.derivationText == other.derivationText
                && mine.filteringPredicate == other.filteringPredicate
        case (let mine as NSCompositeAttributeDescription, let other as NSCompositeAttributeDescription):
            return mine.compositeName == other.compositeName
                && mine.elements.sorted { $0.name < $1.name } == other.elements.sorted { $0.name < $1.name }
        default: return true
        }
    }
}

extension NSRelationshipDescription {
    fileprivate final func hasSameEnds(as other: NSRelationshipDescription) -> Bool {
        minCount == other.minCount && maxCount == other.maxCount && isOrdered == other.isOrdered
            && deleteRule == other.deleteRule && destinationEntityName == other.destinationEntityName
            && inverseRelationshipName == other.inverseRelationshipName
    }
}
