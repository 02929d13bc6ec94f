/// What happens to a set, as `willChangeValue(forKey:withSetMutation:using:)` says it.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    case union = 1
    case minus = 2
    case intersect = 3
    case set = 4
}

extension NSManagedObject {
    /// The former name.
    public typealias KeyValueSetMutationKind = NSKeyValueSetMutationKind
}
