import Foundation

/// Key-value coding over key paths, for applications: a set has a set of its elements' values, a list a list of them.
///
/// Predicates have rules of their own, see ``KeyValueAccess``: there whatever a path leads to is one flat list.
enum KeyValuePath {
    /// The value at the end of a path; `nil` if there is no value, or a key is unknown. Numbers are `NSNumber`.
    static func value(of object: Any?, _ path: String) -> Any? {
        value(of: object, path.split(separator: ".")[...])
    }

    private static func value(of object: Any?, _ keys: ArraySlice<Substring>) -> Any? {
        guard let object = OptionalValue.flatten(object) else { return nil }
        guard let key = keys.first else { return ExpressionResult.object(for: object) }
        let rest = keys.dropFirst()
        guard key.first != "@" else { return result(of: String(key), on: object, rest.joined(separator: ".")) }
        return value(of: value(of: object, forKey: String(key)), rest)
    }

    private static func result(of name: String, on object: Any, _ path: String) -> Any? {
        guard let result = (try? CollectionOperator.apply(name, to: object, path)) ?? nil else { return nil }
        if name.hasPrefix("@distinctUnion"), CollectionElements.isUnordered(object), let list = result as? [Any?] {
            return set(of: list.map { ExpressionResult.object(for: $0) })
        }
        return ExpressionResult.object(for: result)
    }

    /// The value of a key: of a collection the collection of its elements' values.
    static func value(of object: Any, forKey key: String) -> Any? {
        if !(object is NSDictionary), !(object is any KeyedCollection), let elements = CollectionElements.of(object) {
            let values = elements.map { $0.flatMap { value(of: $0, forKey: key) } }
            if object is NSOrderedSet { return orderedSet(of: values.compactMap(\.self)) }
            return CollectionElements.isUnordered(object) ? set(of: values) : values.map { $0 ?? NSNull() }
        }
        return ExpressionResult.object(for: (try? KeyValueAccess.value(of: object, forKey: key)) ?? nil)
    }

    /// A set has Swift's decimals in place of Foundation's, whose hash never returns off Apple's systems.
    static func set(of values: [Any?]) -> Set<AnyHashable> { Set(values.compactMap(hashable)) }

    /// An ordered set; where there are decimals, the list of what would be in it.
    static func orderedSet(of values: [Any]) -> Any {
        guard values.contains(where: isWithoutHash) else { return NSOrderedSet(array: values) }
        var seen: Set<AnyHashable> = []
        return values.filter { value in hashable(value).map { seen.insert($0).inserted } ?? true }
    }

    /// Whether a value can't be in a set.
    static func isWithoutHash(_ value: Any) -> Bool {
        #if canImport(ObjectiveC)
        false
        #else
        value is NSDecimalNumber
        #endif
    }

    private static func hashable(_ value: Any?) -> AnyHashable? {
        if let value, isWithoutHash(value), let number = value as? NSDecimalNumber { return number.decimalValue }
        return value as? AnyHashable
    }
}
