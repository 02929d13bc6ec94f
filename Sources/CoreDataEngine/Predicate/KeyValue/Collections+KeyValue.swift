public import Foundation

// Key-value access to collections, with the operators @count, @sum, @avg, @min, @max and the unions.

extension NSArray {
    /// The elements' values of a key; `NSNull` where an element has none.
    ///
    /// The result is an array with a value for each element, in order. An element that doesn't know the key counts as
    /// one without a value.
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
    /// The result is a set, so equal values are there once. An element that doesn't know the key counts as one without
    /// a value.
    ///
    /// - Parameter key: The key.
    public func value(forKey key: String) -> Any? {
        let values = allObjects.compactMap { KeyValuePath.value(of: $0, forKey: key) }
        return values.contains(where: KeyValuePath.isWithoutHash) ? KeyValuePath.set(of: values) : NSSet(array: values)
    }

    /// The value at a key path, which may have a collection operator.
    ///
    /// Operators are `@count`, `@sum`, `@avg`, `@min`, `@max` and the unions. The result is `nil` if a key isn't known
    /// or a value on the way is `nil`.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}

extension NSOrderedSet {
    /// The elements' values of a key, each once, without missing ones.
    ///
    /// The result is an ordered set. An element that doesn't know the key counts as one without a value.
    ///
    /// - Parameter key: The key.
    public func value(forKey key: String) -> Any? {
        KeyValuePath.orderedSet(of: array.compactMap { KeyValuePath.value(of: $0, forKey: key) })
    }

    /// The value at a key path, which may have a collection operator.
    ///
    /// Operators are `@count`, `@sum`, `@avg`, `@min`, `@max` and the unions. The result is `nil` if a key isn't known
    /// or a value on the way is `nil`.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}

extension NSDictionary {
    /// The value at a key path, which may have a collection operator.
    ///
    /// The first key is one of the dictionary. The result is `nil` if a key isn't known or a value on the way is `nil`.
    ///
    /// - Parameter keyPath: The key path.
    public func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(of: self, keyPath) }
}
