public import Foundation

// Foundation's collections take its own predicate class; these take the engine's.

extension NSArray {
    /// The elements that match a predicate, in order.
    ///
    /// An element for which the evaluation fails, for example because it lacks a key, doesn't match.
    ///
    /// - Parameter predicate: The predicate.
    public func filtered(using predicate: NSPredicate) -> [Any] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension NSMutableArray {
    /// Removes the elements that do not match a predicate.
    ///
    /// An element for which the evaluation fails, for example because it lacks a key, is removed, too.
    ///
    /// - Parameter predicate: The predicate.
    public func filter(using predicate: NSPredicate) {
        setArray(filtered(using: predicate))
    }
}

extension NSSet {
    /// The elements that match a predicate.
    ///
    /// An element for which the evaluation fails, for example because it lacks a key, doesn't match.
    ///
    /// - Parameter predicate: The predicate.
    public func filtered(using predicate: NSPredicate) -> Set<AnyHashable> {
        Set(allObjects.filter { predicate.evaluate(with: $0) }.compactMap { $0 as? AnyHashable })
    }
}

extension NSMutableSet {
    /// Removes the elements that do not match a predicate.
    ///
    /// An element for which the evaluation fails is removed, too. Filtering the set of `mutableSetValue(forKey:)` takes
    /// the other objects out of the relationship.
    ///
    /// - Parameter predicate: The predicate.
    public func filter(using predicate: NSPredicate) {
        for element in allObjects where !predicate.evaluate(with: element) { remove(element) }
    }
}

extension NSOrderedSet {
    /// The elements that match a predicate, in order.
    ///
    /// An element for which the evaluation fails, for example because it lacks a key, doesn't match.
    ///
    /// - Parameter predicate: The predicate.
    public func filtered(using predicate: NSPredicate) -> NSOrderedSet {
        NSOrderedSet(array: array.filter { predicate.evaluate(with: $0) })
    }
}

extension NSMutableOrderedSet {
    /// Removes the elements that do not match a predicate.
    ///
    /// An element for which the evaluation fails is removed, too. Filtering the set of
    /// `mutableOrderedSetValue(forKey:)` takes the other objects out of the relationship.
    ///
    /// - Parameter predicate: The predicate.
    public func filter(using predicate: NSPredicate) {
        removeObjects(in: array.filter { !predicate.evaluate(with: $0) })
    }
}
