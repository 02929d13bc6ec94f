import Foundation

/// A sort descriptor prepared for many comparisons: values are classified once.
struct SortKeyComparator {
    /// A value to compare.
    enum Key {
        case classified(PredicateValue)
        case raw(Any?)
    }

    private let descriptor: NSSortDescriptor
    private let ordering: SelectorOrdering?

    init(_ descriptor: NSSortDescriptor) {
        self.descriptor = descriptor
        // A subclass of the user's own may compare as it likes.
        let isPlain = type(of: descriptor) == NSSortDescriptor.self && !descriptor.hasCustomComparator
        ordering = isPlain ? SelectorOrdering(descriptor.selector) : nil
    }

    func key(of object: Any) throws -> Key {
        if ordering != nil { return .classified(PredicateValue(try descriptor.value(of: object))) }
        return .raw(descriptor.hasCustomComparator ? try descriptor.value(of: object) : object)
    }

    func compare(_ a: Key, _ b: Key) -> ComparisonResult {
        switch (a, b) {
        case (.classified(let a), .classified(let b)):
            let result = ordering?.compare(a, b) ?? .orderedSame
            return descriptor.ascending ? result : result.reversed
        case (.raw(let a), .raw(let b)):
            if descriptor.hasCustomComparator { return descriptor.compareValues(a, b) }
            return descriptor.compare(a ?? NSNull(), to: b ?? NSNull())
        default: return .orderedSame
        }
    }
}
