public import Foundation

// Key-value access to collections, with the operators @count, @sum, @avg, @min, @max and the unions.

extension NSArray {
    /// The elements' values of a key; `NSNull` where an element has none.
    ///
    /// - Parameter key: The key.
    public func value(forKey key: String) -> Any? {
        map { KeyValuePath.value(of: $0, forKey: key) ?? NSNull() }
    }

    /// The value at a key path.
    ///
    /// It may have a collection operator, such as `@sum.price` or `author.@count`.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}

extension NSSet {
    /// The elements' values of a key, without missing ones.
    ///
    /// - Parameter key: The key.
    public func value(forKey key: String) -> Any? {
        let values = allObjects.compactMap { KeyValuePath.value(of: $0, forKey: key) }
        return values.contains(where: KeyValuePath.isWithoutHash) ? KeyValuePath.set(of: values) : NSSet(array: values)
    }

    /// The value at a key path, which may have a collection operator.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}

extension NSOrderedSet {
    /// The elements' values of a key, each once, without missing ones.
    ///
    /// - Parameter key: The key.
    public func value(forKey key: String) -> Any? {
        KeyValuePath.orderedSet(of: array.compactMap { KeyValuePath.value(of: $0, forKey: key) })
    }

    /// The value at a key path, which may have a collection operator.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}

extension NSDictionary {
    /// The value at a key path, which may have a collection operator.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}
