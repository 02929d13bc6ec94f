import Foundation

/// What one result is sorted by.
typealias SortKeys = ContiguousArray<SortKeyComparator.Key>

/// The order of a controller's results: the request's sort descriptors, then the rank.
struct SortOrder {
    private struct Term {
        let comparator: SortKeyComparator
        /// The attribute's slot, for a descriptor that compares one attribute as the store does.
        let slot: SlotLayout?
    }

    private let terms: [Term]

    init(_ descriptors: [NSSortDescriptor], _ entity: EntityLayout) {
        terms = descriptors.map { descriptor in
            let isPlain =
                type(of: descriptor) == NSSortDescriptor.self && !descriptor.hasCustomComparator
                && SelectorOrdering(descriptor.selector) != nil
            let slot = isPlain ? descriptor.key.flatMap { entity.slot(named: $0) } : nil
            return Term(comparator: SortKeyComparator(descriptor), slot: slot?.kind == .toOne ? nil : slot)
        }
    }

    /// Whether all there is to read stands in the objects' own rows.
    var readsRowsAlone: Bool { terms.allSatisfy { $0.slot != nil } }

    /// The present keys of an object. A value that can't be read counts as missing.
    func keys(of object: AnyObject) -> SortKeys {
        SortKeys(
            terms.map { term in
                if let slot = term.slot, let object = object as? NSManagedObject {
                    return .classified(PredicateValue(object.valueWithoutFiring(slot), slot))
                }
                return (try? term.comparator.key(of: object)) ?? .classified(.none)
            })
    }

    /// Whether an entry stands before another one of the same content.
    func precedes(_ left: ResultEntry, _ right: ResultEntry) -> Bool {
        guard !terms.isEmpty else { return left.rank < right.rank }
        let leftKeys = keys(of: left)
        let rightKeys = keys(of: right)
        for (index, term) in terms.enumerated() {
            switch term.comparator.compare(leftKeys[index], rightKeys[index]) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return left.rank < right.rank
    }

    /// Whether two lists of keys don't differ in order.
    func areSame(_ left: SortKeys, _ right: SortKeys) -> Bool {
        terms.indices.allSatisfy { terms[$0].comparator.compare(left[$0], right[$0]) == .orderedSame }
    }

    private func keys(of entry: ResultEntry) -> SortKeys {
        if let keys = entry.keys { return keys }
        let keys = keys(of: entry.object)
        entry.keys = keys
        return keys
    }
}

extension NSManagedObject {
    /// The value of an attribute, read from the row without making the object look used.
    final func valueWithoutFiring(_ slot: SlotLayout) -> PropertyValue {
        if state.isFault, let context = ownContext, context.needsRow(self) { _ = context.loadRow(of: self) }
        return currentValue(slot.index)
    }
}

extension PredicateValue {
    /// An attribute's value as predicates and sort descriptors see it.
    init(_ value: PropertyValue, _ slot: SlotLayout) {
        switch value {
        case .null: self = .none
        case .integer(let number): self = .integer(number)
        case .string(let string): self = .string(string)
        case .double(let number) where slot.kind == .date: self = .date(Date(timeIntervalSinceReferenceDate: number))
        case .double(let number): self = .real(number)
        default: self = PredicateValue(slot.any(from: value))
        }
    }
}
