import Foundation

/// Whether values of transformable attributes are equal.
enum CollectionEquality {
    /// Compares two values. Off Apple's systems Foundation stops the program when it compares sets that have collections as
    /// elements, or dictionaries that have them as keys.
    static func areEqual(_ left: Any, _ right: Any) -> Bool {
        #if !canImport(ObjectiveC)
        // Values of Swift's are not cast to Foundation's: that hashes their elements.
        if type(of: left) is AnyClass, type(of: right) is AnyClass {
            if let left = left as? NSSet, let right = right as? NSSet, hasCollections(left.allObjects) {
                return haveSameElements(left.allObjects, right.allObjects, sameElement)
            }
            if let left = left as? NSDictionary, let right = right as? NSDictionary, hasCollections(left.allKeys) {
                return haveSameElements(entries(of: left), entries(of: right)) {
                    sameElement($0.key, $1.key) && sameElement($0.value, $1.value)
                }
            }
        }
        #endif
        guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return false }
        return left == right
    }

    private static func hasCollections(_ elements: [Any]) -> Bool {
        elements.contains { !($0 is AnyHashable) || $0 is NSArray || $0 is NSDictionary }
    }

    private static func entries(of dictionary: NSDictionary) -> [(key: Any, value: Any)] {
        dictionary.allKeys.map { ($0, dictionary.object(forKey: $0) ?? NSNull()) }
    }

    private static func sameElement(_ left: Any, _ right: Any) -> Bool {
        guard let left = TransformableCoding.bridged(left) as? NSObject else { return false }
        return left.isEqual(TransformableCoding.bridged(right))
    }

    private static func haveSameElements<Element>(
        _ left: [Element], _ right: [Element], _ isSame: (Element, Element) -> Bool
    ) -> Bool {
        guard left.count == right.count else { return false }
        var rest = right
        return left.allSatisfy { element in
            guard let index = rest.firstIndex(where: { isSame(element, $0) }) else { return false }
            rest.remove(at: index)
            return true
        }
    }
}
