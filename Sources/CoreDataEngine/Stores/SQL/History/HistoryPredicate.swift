import Foundation

/// Turns a predicate that an application wrote about the history into one about the columns of one store: tokens become
/// numbers of transactions, entities and objects become their numbers in the store.
package struct HistoryPredicate {
    /// The UUID of the store.
    package let store: String
    /// The UUIDs of all stores that are asked.
    package let stores: Set<String>
    package let mapping: StoreMapping

    package init(store: String, stores: Set<String>, mapping: StoreMapping) {
        self.store = store
        self.stores = stores
        self.mapping = mapping
    }

    /// - Throws: `NSPersistentHistoryTokenExpiredError` for a token that names no position in the store's history.
    package func resolve(_ predicate: NSPredicate) throws -> NSPredicate {
        switch predicate.node {
        case .compound(let compound):
            return NSCompoundPredicate(
                type: compound.compoundPredicateType, subpredicates: try compound.parts.map(resolve))
        case .comparison(let comparison): return try resolve(comparison)
        default: return predicate
        }
    }

    private func resolve(_ comparison: NSComparisonPredicate) throws -> NSPredicate {
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        if let path = keyPath(left) { return try resolve(comparison, path, right, isReversed: false) }
        if let path = keyPath(right) { return try resolve(comparison, path, left, isReversed: true) }
        return comparison
    }

    private func resolve(
        _ comparison: NSComparisonPredicate, _ path: String, _ operand: NSExpression, isReversed: Bool
    ) throws -> NSPredicate {
        let key = path.split(separator: ".").last.map(String.init) ?? path
        guard let values = constants(operand) else { return comparison }
        if key == HistoryModel.Key.changedObjectID { return try resolveObjects(comparison, path, values) }
        var isForeign = false
        let numbers = try values.map { value -> Any? in
            if let token = value as? NSPersistentHistoryToken {
                let number = try number(of: token)
                if number == nil { isForeign = true }
                return number
            }
            if key == HistoryModel.Key.changedEntity { return number(ofEntity: value) }
            if let type = value as? NSPersistentHistoryChangeType { return type.rawValue }
            return value
        }
        // A position in another store's history is neither before nor after what happened here.
        if isForeign { return NSPredicate(value: false) }
        let isList = values.count != 1 || isCollection(operand)
        let constant = NSExpression(forConstantValue: isList ? numbers.compactMap { $0 } : numbers[0])
        return NSComparisonPredicate(
            leftExpression: isReversed ? constant : comparison.leftExpression,
            rightExpression: isReversed ? comparison.rightExpression : constant,
            modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
            options: comparison.options)
    }

    // MARK: Constants

    private func keyPath(_ expression: NSExpression) -> String? {
        switch expression.node {
        case .keyPath(let path): path
        case .operandKeyPath(_, let path): path
        default: nil
        }
    }

    private func isCollection(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case .aggregate: true
        case .constant(let value): SQLConstant.elements(of: value) != nil
        default: false
        }
    }

    /// The value of a constant expression, or the elements of a constant list.
    private func constants(_ expression: NSExpression) -> [Any?]? {
        switch expression.node {
        case .constant(let value): return SQLConstant.elements(of: value) ?? [value]
        case .aggregate(let elements):
            var values: [Any?] = []
            for element in elements {
                guard case .constant(let value) = element.node else { return nil }
                values.append(value)
            }
            return values
        default: return nil
        }
    }

    private func number(of token: NSPersistentHistoryToken) throws -> Int64? {
        guard let number = token.transactionByStore[store] else {
            guard stores.isDisjoint(with: token.transactionByStore.keys) else { return nil }
            throw HistoryError.expired(token, "It is not about any of the stores.")
        }
        guard number > 0 else { throw HistoryError.expired(token, "It names no transaction.") }
        return number
    }

    private func number(ofEntity value: Any?) -> Any? {
        let name: String
        switch value {
        case let entity as NSEntityDescription: name = entity.name ?? ""
        case let string as String: name = string
        default: return value
        }
        return mapping.entities.lazy.compactMap { $0 }.first { $0.layout.name == name }?.number ?? -1
    }

    // MARK: Objects

    private func resolveObjects(
        _ comparison: NSComparisonPredicate, _ path: String, _ values: [Any?]
    ) throws -> NSPredicate {
        let prefix = path.dropLast(HistoryModel.Key.changedObjectID.count)
        let matches = values.map { value -> NSPredicate in
            guard let id = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID, !id.isTemporaryID,
                id.storeIdentifier == store,
                let entity = mapping.entities.lazy.compactMap({ $0 }).first(where: { $0.layout.name == id.layout.name })
            else { return NSPredicate(value: false) }
            // Numbers of rows are unique within a tree of entities; which of them the row is of, the history knows.
            let numbers = entity.layout.root.subtree.compactMap { mapping[$0]?.number }
            return NSPredicate(
                format: "%K == %@ AND %K IN %@",
                argumentArray: [
                    path, NSNumber(value: id.reference), String(prefix) + HistoryModel.Key.changedEntity,
                    numbers.map { NSNumber(value: $0) },
                ])
        }
        let any = NSCompoundPredicate(orPredicateWithSubpredicates: matches)
        switch comparison.predicateOperatorType {
        case .equalTo, .in: return any
        case .notEqualTo: return NSCompoundPredicate(notPredicateWithSubpredicate: any)
        default:
            throw PredicateError.evaluation(
                "The predicate \"\(comparison.predicateFormat)\" can't be used: changed objects are compared with ==, != "
                    + "and IN.")
        }
    }
}
