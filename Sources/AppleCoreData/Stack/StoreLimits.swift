#if canImport(ObjectiveC)
package import CoreData

/// How much a SQLite store takes. Apple's framework has one of the engine's limits.
public struct StoreLimits: Sendable, Hashable {
    /// How many connections read at a time (`NSPersistentStoreConnectionPoolMaxSizeKey`); `nil` leaves it to the
    /// framework.
    public var maximumReaders: Int?

    /// The limits that hold where nothing is said.
    public init() {}

    /// The same as options of a store.
    package var options: [AnyHashable: Any] {
        maximumReaders.map { [NSPersistentStoreConnectionPoolMaxSizeKey: $0] } ?? [:]
    }
}

extension NSPersistentStore {
    /// Reads an option that is a boolean.
    package static func flag(_ value: Any?) -> Bool? { (value as? NSNumber)?.boolValue }

    /// Whether the file can be written only by those who record its history: the framework opens it for reading
    /// otherwise.
    package func mustRecordHistory() throws -> Bool { isReadOnly }
}
#endif
