/// What a child's rows owe to the parent's objects.
// @unchecked Sendable because the objects are only kept, never used, so that any thread may let go of them.
final class ParentOrigin: @unchecked Sendable {
    /// The parent's objects, which thereby keep what they last knew of the store as long as the child builds on it.
    private let objects: ContiguousArray<NSManagedObject>
    /// The temporary references in the rows, which stay there when the parent's objects have been saved.
    let references: Set<Int64>

    init(_ objects: ContiguousArray<NSManagedObject>, _ references: Set<Int64> = []) {
        self.objects = objects
        self.references = references
    }
}
