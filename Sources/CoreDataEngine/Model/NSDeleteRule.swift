/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// The objects at the destination are left alone, and may keep a reference to the deleted object.
    case noActionDeleteRule = 0
    /// The inverse of the relationship is set to nil.
    case nullifyDeleteRule = 1
    /// The objects at the destination are deleted too.
    case cascadeDeleteRule = 2
    /// While there is an object at the destination, the object cannot be deleted.
    case denyDeleteRule = 3
}
