public import Foundation

// Key-value access to collections, with the operators @count, @sum, @avg, @min, @max and the unions.

extension NSArray {
    /// The elements' values of a key; `NSNull` where an element has none.
    public func value(forKey key: String) -> Any? {
        map { KeyValueLookup.value(of: $0, forKey: key) ?? NSNull() }
    }

    /// The value at a key path.
    ///
    /// It may have a collection operator, such as `@sum.price` or `author.@count`.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueLookup.value(of: self, forKeyPath: keyPath) }
}

extension NSSet {
    /// The elements' values of a key, without missing ones.
    public func value(forKey key: String) -> Any? {
        NSSet(array: allObjects.compactMap { KeyValueLookup.value(of: $0, forKey: key) })
    }

    /// The value at a key path, which may have a collection operator.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueLookup.value(of: self, forKeyPath: keyPath) }
}

extension NSOrderedSet {
    /// The elements' values of a key, each once, without missing ones.
    public func value(forKey key: String) -> Any? {
        NSOrderedSet(array: array.compactMap { KeyValueLookup.value(of: $0, forKey: key) })
    }

    /// The value at a key path, which may have a collection operator.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueLookup.value(of: self, forKeyPath: keyPath) }
}

extension NSDictionary {
    /// The value at a key path, which may have a collection operator.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValueLookup.value(of: self, forKeyPath: keyPath) }
}

/// Look-ups that cannot throw: what is not there is nil.
private enum KeyValueLookup {
    static func value(of object: Any, forKey key: String) -> Any? {
        (try? KeyValueAccess.value(of: object, forKey: key)) ?? nil
    }

    static func value(of object: Any, forKeyPath path: String) -> Any? {
        guard let value = (try? KeyValueAccess.value(of: object, forKeyPath: path)) ?? nil else { return nil }
        guard let list = value as? [Any?] else { return value }
        return list.map { $0 ?? NSNull() }
    }
}
