public import CoreDataPlatform

extension NSDeleteRule {
    /// The objects at the destination are left alone, and may keep a reference to the deleted object.
    public static var noAction: NSDeleteRule { .noActionDeleteRule }
    /// The inverse of the relationship is set to nil.
    public static var nullify: NSDeleteRule { .nullifyDeleteRule }
    /// The objects at the destination are deleted too.
    public static var cascade: NSDeleteRule { .cascadeDeleteRule }
    /// While there is an object at the destination, the object cannot be deleted.
    public static var deny: NSDeleteRule { .denyDeleteRule }
}
