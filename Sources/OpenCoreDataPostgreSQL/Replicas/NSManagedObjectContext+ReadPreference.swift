#if PostgreSQL
public import OpenCoreData

/// The servers that a context reads from.
public enum ReadPreference: Sendable, Hashable {
    /// The one that takes changes.
    case primary
    /// A replica, if one has everything that this program has saved and followed; otherwise the primary.
    case replica
}

extension NSManagedObjectContext {
    /// Lets the context read from replicas of its stores (``PostgreSQLOptions/replicas``), or from the primaries
    /// again.
    ///
    /// A context reads from replicas only while it has no changes. One with a parent reads what its parent reads.
    /// Call it on the context's queue.
    ///
    /// - Parameter preference: Where to read from.
    public func setReadPreference(_ preference: ReadPreference) {
        switch preference {
        case .primary: readFromPrimaries()
        case .replica: readFromReplicas()
        }
    }
}
#endif
