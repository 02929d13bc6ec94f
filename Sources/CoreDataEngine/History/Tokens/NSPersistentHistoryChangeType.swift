/// What happened to an object in a transaction of the history.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// The object was inserted.
    case insert = 0
    /// Properties of the object changed.
    case update = 1
    /// The object was deleted.
    case delete = 2
}
