import OpenCoreDataKit

/// What a condition of equalities wants of an object that is made to fulfil it.
struct WantedValues {
    private let entity: String
    private let matched: MatchedValues?
    /// Properties that are to equal another one.
    private let copies: [(from: String, to: String)]

    /// - Throws: `DatabaseError.invalidQuery` for anything but equalities that all have to hold, for unknown keys, and for
    ///   values that don't fit.
    init(_ predicate: NSPredicate, of layout: EntityLayout) throws {
        entity = layout.name
        var values: [String: Any?] = [:]
        var copies: [(from: String, to: String)] = []
        for comparison in try Self.equalities(in: predicate, layout.name) {
            let key = comparison.leftExpression.keyPath
            switch comparison.rightExpression.expressionType {
            case .constantValue:
                guard values.updateValue(comparison.rightExpression.constantValue, forKey: key) == nil else {
                    throw Self.refusal("'\(key)' is compared twice.", layout.name)
                }
            case .keyPath: copies.append((from: comparison.rightExpression.keyPath, to: key))
            default: throw Self.refusal("'\(comparison)' compares with neither a value nor a key.", layout.name)
            }
        }
        for (from, to) in copies {
            for path in [from, to] { _ = try PropertyPath.target(of: path, from: layout) }
        }
        self.copies = copies
        matched = values.isEmpty ? nil : try MatchedValues(values, of: layout)
    }

    /// Throws when a new object could not get one of the values.
    func checkSettable() throws {
        try matched?.checkSettable()
        for (_, to) in copies where to.contains(".") {
            throw Self.refusal("a new object can't be given '\(to)', which is a property of another object.", entity)
        }
    }

    func set(on object: NSManagedObject) {
        matched?.set(on: object)
        for (from, to) in copies { object.setValue(object.value(forKeyPath: from), forKey: to) }
    }

    private static func equalities(in predicate: NSPredicate, _ entity: String) throws -> [NSComparisonPredicate] {
        if let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and {
            return try compound.subpredicates.compactMap { $0 as? NSPredicate }.flatMap {
                try equalities(in: $0, entity)
            }
        }
        guard let comparison = predicate as? NSComparisonPredicate, comparison.predicateOperatorType == .equalTo,
            comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
            comparison.leftExpression.expressionType == .keyPath
        else { throw refusal("'\(predicate.predicateFormat)' isn't an equality.", entity) }
        return [comparison]
    }

    private static func refusal(_ reason: String, _ entity: String) -> DatabaseError {
        .invalidQuery(
            entity: entity,
            reason: "An object can be made to fulfil only equalities joined with &&, and here \(reason)")
    }
}
