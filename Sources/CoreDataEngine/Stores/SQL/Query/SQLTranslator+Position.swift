import Foundation

/// The rows after a position in an order, by the terms of ORDER BY.
extension SQLTranslator {
    /// How rows compare with a position by one sort descriptor.
    private struct Place {
        var isSame: SQLCondition
        var isAfter: SQLCondition
        /// Whether a row is at the position or after it, where an index can look for that; `nil` where it can't.
        var bound: SQLCondition?
    }

    func condition(after position: any PredicatePosition, _ predicate: NSPredicate) throws -> SQLCondition {
        guard let position = position as? SortPosition else {
            throw untranslatable("A store can't look for what comes after \(position).")
        }
        let number = position.number
        var condition: SQLCondition =
            number.storeIdentifier == storeIdentifier
            ? SQLCondition("\(subject.key) > \(value: .integer(number.number))", isNullable: false)
            : .known(position.laterStores.contains(storeIdentifier))
        let places = try zip(position.descriptors, position.values).map { try place($0, $1, predicate) }
        for place in places.reversed() { condition = .any([place.isAfter, .all([place.isSame, condition])]) }
        // Otherwise an index would be read from its beginning.
        if let bound = places.first?.bound { condition = .all([bound, condition]) }
        return condition
    }

    private func place(_ descriptor: NSSortDescriptor, _ value: Any?, _ predicate: NSPredicate) throws -> Place {
        // Finds what is wrong with the descriptor.
        _ = try orderTerm(descriptor)
        guard case .key(let key) = descriptor.subject, case .term(let term) = try resolve(keyPath: key, from: current)
        else {
            throw untranslatable("A store can't look for what comes after a position in the order of \(descriptor).")
        }
        let isMissing = try isMissing(.term(term))
        guard let value else {
            return Place(isSame: isMissing, isAfter: descriptor.ascending ? isMissing.negated : .known(false))
        }
        let sign: (SQLFragment, SQLFragment) = descriptor.ascending ? (">", ">=") : ("<", "<=")
        let same: SQLCondition
        let beyond: SQLCondition
        let bound: SQLCondition
        if let (text, constant) = try collated(term, value, descriptor) {
            func compared(_ sign: SQLFragment) -> SQLCondition {
                SQLCondition("\(text) \(sign) \(constant)", isNullable: term.isNullable)
            }
            (same, beyond, bound) = (compared("="), compared(sign.0), compared(sign.1))
        } else {
            let comparison = Comparison(type: .equalTo, options: [], predicate: predicate)
            same = try compare(.term(term), .constant(value), comparison)
            beyond = try ordering(.term(term), sign.0, .constant(value), comparison)
            bound = try ordering(.term(term), sign.1, .constant(value), comparison)
        }
        // Missing values come first, so last in descending order. Where the model has none, an index can be read on from
        // the value in this direction, too.
        let isMandatory = subject.entity.layout.slot(named: key)?.attribute?.isOptional == false
        guard !descriptor.ascending, term.isNullable, !isMandatory else {
            return Place(isSame: same, isAfter: beyond, bound: bound)
        }
        return Place(isSame: same, isAfter: .any([beyond, isMissing]))
    }

    /// A column and a value in the form that a selector compares; `nil` where they are compared as they are.
    private func collated(
        _ term: SQLTerm, _ value: Any, _ descriptor: NSSortDescriptor
    ) throws -> (SQLFragment, SQLFragment)? {
        let selector = descriptor.selector.map { NSStringFromSelector($0) } ?? "compare:"
        guard selector != "compare:", term.type != .date, term.type != .data, let constant = constant(value),
            let left = dialect.collated(try textForm(term).sql, selector: selector),
            let right = dialect.collated(try textForm(constant).sql, selector: selector)
        else { return nil }
        return (left, right)
    }
}
