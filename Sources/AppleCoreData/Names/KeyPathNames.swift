#if canImport(ObjectiveC)

/// The names of Swift key paths: by registration, or as the runtime knows them.
package enum KeyPathNames {
    // Key paths of properties are immutable; those with captured subscript arguments are never registered.
    private struct Key: @unchecked Sendable, Hashable {
        let keyPath: AnyKeyPath
    }

    private static let names = Mutex<[Key: String]>([:])

    /// Remembers the name of a key path.
    package static func register(_ keyPath: AnyKeyPath, name: String) {
        let key = Key(keyPath: keyPath)
        names.withLock { $0[key] = name }
    }

    /// The name of a key path, or nil if it is not known: of properties that Objective-C sees, the runtime knows it.
    package static func name(of keyPath: AnyKeyPath) -> String? {
        let key = Key(keyPath: keyPath)
        return names.withLock { $0[key] } ?? keyPath._kvcKeyPathString
    }
}
#endif
