/// What happens to the elements of a list, as `willChange(_:valuesAt:forKey:)` says it.
public enum NSKeyValueChange: UInt, Sendable {
    /// The whole list is replaced.
    case setting = 1
    /// Elements are inserted at the indexes.
    case insertion = 2
    /// The elements at the indexes are removed.
    case removal = 3
    /// The elements at the indexes are replaced.
    case replacement = 4
}
