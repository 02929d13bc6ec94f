import Foundation

/// Equality by contents of what models, mapping models and fetch requests hold.
///
/// Descriptions refer to one another in circles: relationships to their destinations and inverses, entities to their kin.
/// What stands outside of a description is therefore compared by its name.
enum ContentEquality {
    /// Whether two values that an application gave are equal: defaults, user info, warnings.
    static func equal(_ left: Any?, _ right: Any?) -> Bool {
        guard let left = OptionalValue.flatten(left), let right = OptionalValue.flatten(right) else {
            return OptionalValue.flatten(left) == nil && OptionalValue.flatten(right) == nil
        }
        switch (left, right) {
        case (let left as NSManagedObjectModel, let right as NSManagedObjectModel): return left === right
        case (let left as NSEntityDescription, let right as NSEntityDescription): return left.name == right.name
        case (let left as NSPropertyDescription, let right as NSPropertyDescription):
            return left.name == right.name && type(of: left) == type(of: right)
        case (let left as [AnyHashable: Any], let right as [AnyHashable: Any]): return equal(left, right)
        case (let left as [Any], let right as [Any]):
            return left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) }
        default: return ConstantEquality.equal(left, right)
        }
    }

    /// Whether two dictionaries of an application are equal; none is an empty one.
    static func equal(_ left: [AnyHashable: Any]?, _ right: [AnyHashable: Any]?) -> Bool {
        let (left, right) = (left ?? [:], right ?? [:])
        return left.count == right.count && left.allSatisfy { key, value in equal(value, right[key] ?? nil) }
    }

    /// Whether two lists of values are equal; none is an empty one.
    static func equalLists(_ left: [Any]?, _ right: [Any]?) -> Bool {
        let (left, right) = (left ?? [], right ?? [])
        return left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) }
    }

    /// Whether the columns of two fetch requests are the same: strings, or descriptions, which represent their names unless
    /// they are computed.
    static func equalColumns(_ left: [Any]?, _ right: [Any]?) -> Bool {
        let (left, right) = (left ?? [], right ?? [])
        return left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                if left is NSExpressionDescription || right is NSExpressionDescription {
                    return (left as? NSExpressionDescription) == (right as? NSExpressionDescription)
                }
                return columnName(left) == columnName(right)
            }
    }

    private static func columnName(_ column: Any) -> String? {
        (column as? NSPropertyDescription)?.name ?? column as? String
    }
}

extension NSManagedObjectModel {
    final func hasSameContents(as other: NSManagedObjectModel) -> Bool {
        func members(_ model: NSManagedObjectModel) -> [String: Set<String>] {
            model.configurationMembers.mapValues { Set($0.map { $0.name ?? "" }) }
        }
        let (mine, others) = (entitiesByName, other.entitiesByName)
        return mine.count == others.count && versionIdentifiers == other.versionIdentifiers
            && Set(configurationNames) == Set(other.configurationNames) && members(self) == members(other)
            && fetchRequestTemplates == other.fetchRequestTemplates
            && (localizationDictionary ?? [:]) == (other.localizationDictionary ?? [:])
            && mine.allSatisfy { name, entity in others[name] == entity }
    }
}

extension NSEntityDescription {
    final func hasSameContents(as other: NSEntityDescription) -> Bool {
        func byName(_ entity: NSEntityDescription) -> [String: NSPropertyDescription] {
            Dictionary(entity.declaredProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        guard name == other.name, explicitClassName == other.explicitClassName, isAbstract == other.isAbstract,
            renamingIdentifier == other.renamingIdentifier, versionHashModifier == other.versionHashModifier,
            superentityName == other.superentityName, uniquenessConstraintNames == other.uniquenessConstraintNames,
            compoundIndexNames == other.compoundIndexNames,
            ContentEquality.equal(userInfo, other.userInfo)
        else { return false }
        return byName(self) == byName(other) && indexes == other.indexes
    }

    private final var superentityName: String? { superentity?.name ?? detachedSuperentityName }
}

extension FetchRequestTemplate: Equatable {
    package static func == (left: FetchRequestTemplate, right: FetchRequestTemplate) -> Bool {
        left.name == right.name && left.entityName == right.entityName && left.sortKeys == right.sortKeys
            && left.fetchLimit == right.fetchLimit && left.fetchOffset == right.fetchOffset
            && left.fetchBatchSize == right.fetchBatchSize && left.resultType == right.resultType
            && left.includesSubentities == right.includesSubentities
            && left.includesPropertyValues == right.includesPropertyValues
            && left.includesPendingChanges == right.includesPendingChanges
            && left.returnsObjectsAsFaults == right.returnsObjectsAsFaults
            && left.returnsDistinctResults == right.returnsDistinctResults
            && left.propertiesToFetch == right.propertiesToFetch
            && left.propertiesToGroupBy == right.propertiesToGroupBy
            && left.relationshipKeyPathsForPrefetching == right.relationshipKeyPathsForPrefetching
            && left.havingPredicate == right.havingPredicate && left.comparedPredicate == right.comparedPredicate
    }

    /// The predicate, or the text of one that can't be read.
    private var comparedPredicate: NSObject? {
        do {
            return try effectivePredicate()
        } catch {
            return predicateString.map { NSString(string: $0) }
        }
    }
}

extension NSFetchRequestBase {
    /// Whether two requests have the same settings. The type of their results isn't compared.
    final func hasSameSettings(as other: NSFetchRequestBase) -> Bool {
        guard entityName == other.entityName, fetchLimit == other.fetchLimit, fetchOffset == other.fetchOffset,
            fetchBatchSize == other.fetchBatchSize, resultType == other.resultType,
            includesSubentities == other.includesSubentities,
            includesPropertyValues == other.includesPropertyValues,
            includesPendingChanges == other.includesPendingChanges,
            returnsObjectsAsFaults == other.returnsObjectsAsFaults,
            shouldRefreshRefetchedObjects == other.shouldRefreshRefetchedObjects,
            returnsDistinctResults == other.returnsDistinctResults
        else { return false }
        return predicate == other.predicate && (sortDescriptors ?? []) == (other.sortDescriptors ?? [])
            && havingPredicate == other.havingPredicate
            && (relationshipKeyPathsForPrefetching ?? []) == (other.relationshipKeyPathsForPrefetching ?? [])
            && ContentEquality.equalColumns(propertiesToFetch, other.propertiesToFetch)
            && ContentEquality.equalColumns(propertiesToGroupBy, other.propertiesToGroupBy)
            && affectedStores == other.affectedStores
    }
}
