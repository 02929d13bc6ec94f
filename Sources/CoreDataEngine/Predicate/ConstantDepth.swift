import Foundation

/// How deep the collections, predicates and expressions inside a constant are nested.
enum ConstantDepth {
    static func of(_ value: Any) -> Int {
        // The commonest types, which a cast would try to bridge.
        let type = type(of: value)
        if type == String.self || type == Int.self || type == Int64.self || type == Double.self || type == Date.self {
            return 0
        }
        guard let elements = elements(of: value) else { return ofPart(value) }
        var deepest = 1
        var rest = [(elements, 1)]
        while let (elements, depth) = rest.popLast() {
            deepest = max(deepest, depth)
            if deepest > PredicateDepth.limit { break }
            for element in elements {
                if let inner = self.elements(of: element) {
                    rest.append((inner, depth + 1))
                } else {
                    deepest = max(deepest, depth + ofPart(element))
                }
            }
        }
        return deepest
    }

    private static func ofPart(_ value: Any) -> Int {
        guard type(of: value) is AnyClass else { return 0 }
        if let expression = value as? NSExpression { return expression.depth }
        return (value as? NSPredicate)?.depth ?? 0
    }

    /// The elements of a collection that can hold another: one whose elements are of no particular type.
    private static func elements(of value: Any) -> [Any]? {
        let type = type(of: value)
        if type is AnyClass {
            switch value {
            case let array as NSArray: return array.map { $0 }
            case let set as NSSet: return set.allObjects
            case let set as NSOrderedSet: return set.array
            case let dictionary as NSDictionary: return dictionary.allValues
            default: return nil
            }
        }
        if type == [Any].self { return value as? [Any] }
        if type == [Any?].self { return (value as? [Any?])?.compactMap { $0 } }
        if type == [AnyHashable].self { return (value as? [AnyHashable])?.map(\.base) }
        if type == Set<AnyHashable>.self { return (value as? Set<AnyHashable>)?.map(\.base) }
        if type == [String: Any].self { return (value as? [String: Any]).map { Array($0.values) } }
        if type == [AnyHashable: Any].self { return (value as? [AnyHashable: Any]).map { Array($0.values) } }
        return nil
    }
}
