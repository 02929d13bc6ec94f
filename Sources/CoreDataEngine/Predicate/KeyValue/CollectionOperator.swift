import Foundation

/// The collection operators of key paths.
enum CollectionOperator {
    /// Applies an operator.
    ///
    /// - Parameters:
    ///   - name: The operator with its `@`.
    ///   - object: The collection left of the operator.
    ///   - path: The key path right of it, may be empty.
    static func apply(_ name: String, to object: Any?, _ path: String) throws -> Any? {
        let elements = object.map { CollectionElements.of($0) ?? [$0] } ?? []
        if name == "@count" {
            guard path.isEmpty else { throw PredicateError.evaluation("Nothing can follow @count, found \"\(path)\".") }
            return elements.count
        }
        if let index = Int(name.dropFirst()), path.isEmpty {
            return elements.indices.contains(index) ? elements[index] : nil
        }
        return try apply(name, values(of: elements, path))
    }

    private static func apply(_ name: String, _ values: [Any?]) throws -> Any? {
        switch name {
        case "@sum": return try Aggregates.sum(values)
        case "@avg", "@average": return try Aggregates.average(values)
        case "@min": return Aggregates.minimum(values)
        case "@max": return Aggregates.maximum(values)
        case "@median": return try Aggregates.median(values)
        case "@mode": return try Aggregates.mode(values)
        case "@stddev": return try Aggregates.standardDeviation(values)
        case "@unionOfObjects": return values.filter { $0 != nil }
        case "@distinctUnionOfObjects": return distinct(values)
        case "@unionOfArrays", "@unionOfSets": return flat(values)
        case "@distinctUnionOfArrays", "@distinctUnionOfSets": return distinct(flat(values))
        case "@firstObject": return values.first ?? nil
        case "@lastObject": return values.last ?? nil
        default: throw PredicateError.evaluation("The collection operator \(name) is not known.")
        }
    }

    private static func values(of elements: [Any?], _ path: String) throws -> [Any?] {
        guard !path.isEmpty, path != "self" else { return elements }
        guard let value = try KeyValueAccess.value(of: elements, forKeyPath: path) else { return [] }
        return CollectionElements.of(value) ?? [value]
    }

    private static func flat(_ values: [Any?]) -> [Any?] {
        values.flatMap { value -> [Any?] in
            guard let value else { return [] }
            return CollectionElements.of(value) ?? [value]
        }
    }

    private static func distinct(_ values: [Any?]) -> [Any?] {
        var result: [Any?] = []
        for value in values where value != nil && !result.contains(where: { ValueComparison.equal($0, value) }) {
            result.append(value)
        }
        return result
    }
}
