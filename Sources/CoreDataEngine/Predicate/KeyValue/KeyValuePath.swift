import Foundation

/// Key-value coding over key paths, for applications: a set has a set of its elements' values, a list a list of them.
///
/// Predicates have rules of their own, see ``KeyValueAccess``: there whatever a path leads to is one flat list.
enum KeyValuePath {
    /// The value at the end of a path; nil where there is none, or a key is not known. Numbers are `NSNumber`.
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
            if object is NSOrderedSet { return NSOrderedSet(array: values.compactMap(\.self)) }
            return CollectionElements.isUnordered(object) ? set(of: values) : values.map { $0 ?? NSNull() }
        }
        return ExpressionResult.object(for: (try? KeyValueAccess.value(of: object, forKey: key)) ?? nil)
    }

    private static func set(of values: [Any?]) -> Set<AnyHashable> {
        Set(values.compactMap { $0 as? AnyHashable })
    }
}
