/// A store on a server, or on several, of which one takes changes and the others, the replicas, follow it.
package protocol ServerStore: RowStore {
    /// How contexts read from replicas; `nil` if the store has no replicas.
    func makeReplicaReading() -> (any StoreGeneration)?

    /// How many operations can have a connection at a time, and how long others wait for one, in seconds.
    var admission: (limit: Int, timeout: Double?) { get }

    /// The error for one that waited too long.
    func admissionError(waiting: Int) -> any Error

    /// Names what is in the store now, with all that this program saved: who follows the position reads nothing older.
    func position() throws -> String

    /// Has whatever is read from now on contain what the position names.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a string that is no position. One of another store has no effect.
    func follow(_ position: String) throws
}
