/// What became of an object or a section of a fetched results controller.
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It is new.
    case insert = 1
    /// It is gone.
    case delete = 2
    /// It changed and stands elsewhere.
    case move = 3
    /// It changed and stands where it was.
    case update = 4
}
