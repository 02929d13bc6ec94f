/// What happens to a set, as `willChangeValue(forKey:withSetMutation:using:)` says it.
public typealias NSKeyValueSetMutationKind = NSManagedObject.KeyValueSetMutationKind

extension NSManagedObject {
    /// The kinds of change that `didChangeValue(forKey:withSetMutation:using:)` reports.
    public enum KeyValueSetMutationKind: UInt, Sendable {
        /// The given objects are added.
        case union = 1
        /// The given objects are removed.
        case minus = 2
        /// All objects but the given ones are removed.
        case intersect = 3
        /// The given objects replace the set.
        case set = 4
    }
}
