/// What happens to the elements of a list, as `willChange(_:valuesAt:forKey:)` says it.
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}
