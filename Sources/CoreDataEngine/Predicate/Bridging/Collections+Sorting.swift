public import Foundation

// Foundation's collections take its own sort descriptor class; these take the engine's.

extension NSArray {
    /// The elements ordered by the first descriptor, where that makes no difference by the second, and so on.
    ///
    /// Elements that compare as the same keep their order. If a descriptor can't be used, or an element lacks its key,
    /// the order stays unchanged.
    ///
    /// - Parameter sortDescriptors: The descriptors.
    public func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        NSSortDescriptor.sorted(map { $0 }, using: sortDescriptors)
    }
}

extension NSMutableArray {
    /// Orders the elements by descriptors.
    ///
    /// Elements that compare as the same keep their order. If a descriptor can't be used, or an element lacks its key,
    /// the order stays unchanged.
    ///
    /// - Parameter sortDescriptors: The descriptors.
    public func sort(using sortDescriptors: [NSSortDescriptor]) {
        setArray(sortedArray(using: sortDescriptors))
    }
}

extension NSSet {
    /// The elements ordered by descriptors.
    ///
    /// The order of elements that compare as the same isn't defined. If a descriptor can't be used, or an element lacks
    /// its key, the result has no order.
    ///
    /// - Parameter sortDescriptors: The descriptors.
    public func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        NSSortDescriptor.sorted(allObjects, using: sortDescriptors)
    }
}

extension NSOrderedSet {
    /// The elements ordered by descriptors.
    ///
    /// Elements that compare as the same keep their order. If a descriptor can't be used, or an element lacks its key,
    /// the order stays unchanged.
    ///
    /// - Parameter sortDescriptors: The descriptors.
    public func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        NSSortDescriptor.sorted(array, using: sortDescriptors)
    }
}

extension NSMutableOrderedSet {
    /// Orders the elements by descriptors.
    ///
    /// Elements that compare as the same keep their order. Sorting the set of `mutableOrderedSetValue(forKey:)` changes
    /// the order of the relationship; no object leaves it in between.
    ///
    /// - Parameter sortDescriptors: The descriptors.
    public func sort(using sortDescriptors: [NSSortDescriptor]) {
        let sorted = sortedArray(using: sortDescriptors)
        if let live = self as? any Reorderable { return live.reorder(sorted) }
        removeAllObjects()
        addObjects(from: sorted)
    }
}

/// A collection whose elements can be put in another order without leaving it in between.
protocol Reorderable: AnyObject {
    /// - Parameter elements: The same elements.
    func reorder(_ elements: [Any])
}

extension NSSortDescriptor {
    /// The elements in order.
    ///
    /// Elements that compare as the same keep their order. A descriptor that cannot be used, or a value that cannot be
    /// read, leaves the order as it is.
    package static func sorted<Element>(_ elements: [Element], using descriptors: [NSSortDescriptor]) -> [Element] {
        (try? ordered(elements, using: descriptors)) ?? elements
    }

    /// The elements in order; each value is read once.
    ///
    /// - Throws: An error if a descriptor cannot be used or an object does not have its key.
    package static func ordered<Element>(
        _ elements: [Element], using descriptors: [NSSortDescriptor]
    ) throws -> [Element] {
        guard !descriptors.isEmpty else { return elements }
        for descriptor in descriptors {
            if let error = descriptor.formatError { throw error }
        }
        let comparators = descriptors.map(SortKeyComparator.init)
        let keyed = try elements.map { element in
            (element: element, keys: try comparators.map { try $0.key(of: element) })
        }
        return keyed.sorted { a, b in
            for (index, comparator) in comparators.enumerated() {
                let result = comparator.compare(a.keys[index], b.keys[index])
                if result != .orderedSame { return result == .orderedAscending }
            }
            return false
        }.map(\.element)
    }
}
