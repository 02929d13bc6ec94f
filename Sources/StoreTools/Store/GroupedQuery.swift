import Foundation
package import OpenCoreData

/// A question whose answer is numbers and not objects: counts, sums and averages, for all objects or for each group.
package struct GroupedQuery {
    /// What is computed: `count`, or a function of an attribute as `sum:pages`.
    package struct Aggregate {
        package let title: String
        private let function: String
        var isAverage: Bool { function == "average:" }
        private let keyPath: String?
        let resultType: NSAttributeType

        private static let functions = [
            "sum": "sum:", "avg": "average:", "average": "average:", "min": "min:", "max": "max:",
        ]

        /// - Throws: `ToolFailure` for an unknown function or attribute, and for one that can't be added up.
        package init(_ string: String, entity: NSEntityDescription) throws {
            title = string
            let parts = string.split(separator: ":", maxSplits: 1).map(String.init)
            if parts == ["count"] {
                (function, keyPath, resultType) = ("count:", nil, .integer64AttributeType)
                return
            }
            guard let name = parts.first, let function = Self.functions[name], parts.count == 2 else {
                let hint = Suggestion.nearest(to: parts.first ?? "", among: ["count"] + Self.functions.keys)
                throw ToolFailure(
                    "\(string) is not a function; write count, sum:KEY, avg:KEY, min:KEY or max:KEY"
                        + (hint.map { "; did you mean \($0)?" } ?? "."))
            }
            _ = try Field(path: parts[1], entity: entity)
            let attribute = entity.attributesByName[parts[1]]
            let isNumber = attribute.map { Self.isNumeric($0.attributeType) } ?? true
            if name != "min", name != "max", !isNumber {
                throw ToolFailure(
                    "\(parts[1]) is \(attribute.map(AttributeCoding.kind) ?? "not a number"); \(name) needs numbers.")
            }
            self.function = function
            keyPath = parts[1]
            resultType =
                function == "average:" ? .doubleAttributeType : attribute?.attributeType ?? .doubleAttributeType
        }

        private static func isNumeric(_ type: NSAttributeType) -> Bool {
            switch type {
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
                .doubleAttributeType, .floatAttributeType:
                true
            default: false
            }
        }

        func description(named name: String) -> NSExpressionDescription {
            let argument = keyPath.map { NSExpression(forKeyPath: $0) } ?? NSExpression.expressionForEvaluatedObject()
            let description = NSExpressionDescription()
            description.name = name
            description.expression = NSExpression(forFunction: function, arguments: [argument])
            description.expressionResultType = resultType
            return description
        }
    }

    package let titles: [String]
    /// Which columns hold numbers.
    package let isNumeric: [Bool]
    /// Which columns hold averages.
    package let isAverage: [Bool]
    /// The request for the stores.
    package let request: NSFetchRequest<NSDictionary>
    private let groups: [NSAttributeDescription?]
    private let keys: [String]

    /// - Parameters:
    ///   - groups: The key paths to group by; none to answer for all objects together.
    ///   - aggregates: What to compute.
    package init(
        entity: NSEntityDescription, where predicate: NSPredicate?, groupBy groups: [String],
        aggregates: [Aggregate]
    ) throws {
        let enumerations = EnumerationPredicate(entity: entity)
        let paths = groups.map(enumerations.replacing(keyPath:))
        let names = aggregates.indices.map { "aggregate\($0)" }
        let request = NSFetchRequest<NSDictionary>(entityName: entity.displayName)
        request.resultType = .dictionaryResultType
        request.predicate = predicate
        request.propertiesToFetch =
            paths.map { $0 as Any } + zip(aggregates, names).map { $0.description(named: $1) as Any }
        if !paths.isEmpty { request.propertiesToGroupBy = paths }
        self.request = request
        titles = groups + aggregates.map(\.title)
        keys = paths + names
        isAverage = groups.map { _ in false } + aggregates.map(\.isAverage)
        self.groups =
            try groups.map { try Field(path: $0, entity: entity).storedAttribute } + aggregates.map { _ in nil }
        isNumeric =
            groups.map { (try? Field(path: $0, entity: entity).isNumeric) ?? false }
            + aggregates.map { $0.resultType != .stringAttributeType && $0.resultType != .dateAttributeType }
    }

    /// The answer, a value for each title in each row.
    package func rows(in context: NSManagedObjectContext) throws -> [[GroupedValue]] {
        try context.fetch(request).map { row in
            zip(keys, groups).map { key, attribute in GroupedValue(row[key], of: attribute) }
        }
    }

    /// Sorts rows by a column.
    ///
    /// - Throws: `ToolFailure` if there is no such column.
    package func sorted(
        _ rows: [[GroupedValue]], by title: String, ascending: Bool
    ) throws -> [[GroupedValue]] {
        guard let column = titles.firstIndex(of: title) else {
            throw ToolFailure("The result has no column \(title); \(Suggestion.hint(for: title, among: titles))")
        }
        // Equal ones stay in their order.
        return rows.enumerated().sorted { left, right in
            let (one, other) = (left.element[column], right.element[column])
            if one.isBefore(other) { return ascending }
            if other.isBefore(one) { return !ascending }
            return left.offset < right.offset
        }.map(\.element)
    }
}
