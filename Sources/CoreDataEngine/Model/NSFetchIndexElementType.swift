/// The kind of index that an element of a fetch index asks for.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// An ordinary, sorted index.
    case binary = 0
    /// A spatial index over numbers.
    case rTree = 1
}
