/// What a child's rows owe to the parent's objects.
// @unchecked Sendable because the objects are only kept, never used, so that any thread may release them.
final class ParentOrigin: @unchecked Sendable {
    /// The parent's objects, which thereby keep what they last knew of the store as long as the child builds on it.
    private let objects: ContiguousArray<NSManagedObject>
    /// The temporary references of the rows themselves.
    let ownReferences: Set<Int64>
    /// The temporary references of destinations, which stay in rows when the destinations have been saved.
    let destinations: Set<Int64>

    init(
        _ objects: ContiguousArray<NSManagedObject>, ownReferences: Set<Int64> = [], destinations: Set<Int64>
    ) {
        self.objects = objects
        self.ownReferences = ownReferences
        self.destinations = destinations
    }

    var hasReferences: Bool { !ownReferences.isEmpty || !destinations.isEmpty }
}
