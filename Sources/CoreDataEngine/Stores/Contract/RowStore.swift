/// What the context and the coordinator ask of a store that keeps rows: SQLite, in memory, and the atomic stores.
///
/// Implementations are subclasses of `NSPersistentStore`. A store that also records history, pins generations or explains
/// its queries is a ``HistoryStore``, a ``GenerationalStore`` or an ``ExplainingStore`` besides. `OpenCoreDataTesting` checks
/// that a store does all that it must.
package protocol RowStore: RowReading, RowWriting {
    /// The store as one that needs the context to answer; nil for all but stores of the application's own.
    var ownStore: (any ApplicationStore)? { get }
    /// Reads the metadata, or makes it for a new store. Called once, before anything else.
    func loadMetadata() throws
    /// Writes `metadata` to the file.
    func saveMetadata() throws
    /// Releases files and connections.
    func close()
}

extension RowStore {
    package var ownStore: (any ApplicationStore)? { nil }
}
