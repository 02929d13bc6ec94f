/// What happens to a set, as `willChangeValue(forKey:withSetMutation:using:)` says it.
public typealias NSKeyValueSetMutationKind = NSManagedObject.KeyValueSetMutationKind

extension NSManagedObject {
    /// The kinds of change that `didChangeValue(forKey:withSetMutation:using:)` reports.
    public enum KeyValueSetMutationKind: UInt, Sendable {
        case union = 1
        case minus = 2
        case intersect = 3
        case set = 4
    }
}
