import Foundation

/// A fetch request as a model keeps it: a plain value, without a context or a result type.
package struct FetchRequestTemplate {
    /// One sort descriptor of the template.
    package struct SortKey: Equatable, Sendable {
        package var key: String
        package var ascending: Bool
        package var selectorName: String?

        package init(key: String, ascending: Bool, selectorName: String? = nil) {
            self.key = key
            self.ascending = ascending
            self.selectorName = selectorName
        }
    }

    package var name: String
    package var entityName: String?
    /// The predicate as an object; `nil` if the template has no predicate, or only its format string is known.
    package var predicate: NSPredicate?
    /// The predicate as its source has it; nil when the model was not read from source.
    package var predicateString: String?
    package var sortKeys: [SortKey] = []
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    /// The raw value of the result type; 0 represents managed objects.
    package var resultType: UInt = 0
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false
    package var propertiesToFetch: [String] = []
    package var propertiesToGroupBy: [String] = []
    package var havingPredicate: NSPredicate?
    package var relationshipKeyPathsForPrefetching: [String] = []

    package init(name: String, entityName: String?) {
        self.name = name
        self.entityName = entityName
    }

    /// The predicate, made of its format string when that is all there is.
    ///
    /// - Throws: the error of the format string when it is no predicate.
    package func effectivePredicate() throws -> NSPredicate? {
        if let predicate { return predicate }
        guard let predicateString, !predicateString.isEmpty else { return nil }
        return try NSPredicate(validatingFormat: predicateString, argumentArray: [])
    }
}
