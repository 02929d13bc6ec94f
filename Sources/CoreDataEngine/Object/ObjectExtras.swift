#if Publishers
#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif
#endif

/// What an object has beyond its row: edited values and relationships that were walked.
final class ObjectExtras {
    /// Values by slot that differ from the row, or have none. Empty until the first write.
    @exclusivity(unchecked) var values: ContiguousArray<PropertyValue?> = []
    /// Destination objects by relationship index: an `NSManagedObject` for a to-one, a `ToManyState` for a to-many.
    @exclusivity(unchecked) var relationships: ContiguousArray<AnyObject?> = []
    /// Whether the next save is to check the row although nothing of it changed.
    @exclusivity(unchecked) var detectsConflicts = false
    /// Whether the object is not of the graph: it represents one that is missing, or that its property can't show.
    var isStandIn = false
    /// Whether others have deleted the row of an object that is to be deleted here, too.
    var isRowGone = false
    /// The number that a save in progress gives a new object; 0 outside of saves.
    @exclusivity(unchecked) var pendingReference: Int64 = 0
    /// The values that `changedValuesForCurrentEvent` compares with, by slot.
    @exclusivity(unchecked) var eventValues: [Int: PropertyValue] = [:]
    /// Transformable values of the row that were read, by slot. Below 0: marks of slots that were set unannounced.
    @exclusivity(unchecked) var decoded: [Int: Any] = [:]
    /// Values under keys that the model doesn't know.
    @exclusivity(unchecked) var unmodeled: [String: Any] = [:]
    /// The sets that `primitiveValue` gave for to-manys, by relationship index.
    @exclusivity(unchecked) var primitiveSets: [Int: PrimitiveSet] = [:]
    /// The destinations that to-ones had when `willChangeValue` was called for them, by slot.
    @exclusivity(unchecked) var formerDestinations: [Int: NSManagedObject?] = [:]
    /// The object that a stand-in represents.
    var original: NSManagedObject?
    /// Keeps the model alive for an object without a context.
    var model: AnyObject?
    /// Notified before each change.
    var changeObserver: ObjectChangeObserver?
    #if Publishers
    /// Announces each change before it is made. Created when it is first used.
    var changePublisher: ObservableObjectPublisher?
    /// Whether `willChangeValue(forKey:)` was called for the change that is being made.
    var hasAnnouncedChange = false
    #endif
}

/// The destinations of one to-many of one object.
///
/// Until the store has been asked, `members` is nil and changes are collected in `added` and `removed`.
final class ToManyState {
    /// What the object has now; `nil` while the store was not asked.
    @exclusivity(unchecked) var members: MemberList? { didSet { version &+= 1 } }
    /// How often `members` changed: two equal versions have the same members.
    @exclusivity(unchecked) private(set) var version = 0
    /// What the store has, as of the last save or load. Compared with `members` to make the save plan.
    @exclusivity(unchecked) var committed: MemberList?
    /// Changes made while `members` was nil, and those that made no difference to what was known of the store since.
    @exclusivity(unchecked) var added: MemberList = MemberList()
    @exclusivity(unchecked) var removed: MemberList = MemberList()
    /// Whether the order was changed by hand since the last save.
    @exclusivity(unchecked) var orderChanged = false
    /// What is to become of the store's order when it is asked; `nil` where members were added at the end at most.
    @exclusivity(unchecked) var arrangement: MemberArrangement?

    /// Whether there is anything to save.
    var hasChanges: Bool {
        guard let members else { return !added.isEmpty || !removed.isEmpty || arrangement != nil }
        guard let committed else { return !members.isEmpty }
        return orderChanged || !members.hasSameMembers(as: committed)
    }
}
