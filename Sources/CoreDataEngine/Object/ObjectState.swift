/// What an object is going through.
struct ObjectState: OptionSet {
    let rawValue: UInt32

    /// Values have not been asked for since the object was made or refreshed.
    static let fault = ObjectState(rawValue: 1 << 0)
    /// New in its context since the last save.
    static let inserted = ObjectState(rawValue: 1 << 1)
    /// Changed since the last save.
    static let updated = ObjectState(rawValue: 1 << 2)
    /// To be deleted with the next save.
    static let deleted = ObjectState(rawValue: 1 << 3)
    /// Gone: deleted and saved, or rolled back after an insert.
    static let removed = ObjectState(rawValue: 1 << 4)
    /// Listed among the changes of the current event.
    static let insertedInEvent = ObjectState(rawValue: 1 << 5)
    static let updatedInEvent = ObjectState(rawValue: 1 << 6)
    static let deletedInEvent = ObjectState(rawValue: 1 << 7)
    static let refreshedInEvent = ObjectState(rawValue: 1 << 8)
    /// The row was found missing when the fault fired; all values are nil.
    static let inaccessible = ObjectState(rawValue: 1 << 9)
    /// Changes are the engine's own (awake, refresh, merge) and make nothing dirty.
    static let untracked = ObjectState(rawValue: 1 << 10)
    /// Delete rules were already applied for the pending deletion.
    static let propagated = ObjectState(rawValue: 1 << 11)
    /// Was given a second number of an object that was never saved, which says nothing of when it was made.
    static let renumbered = ObjectState(rawValue: 1 << 12)
    /// Listed in the context's list of objects to write; stays set until the list is compacted.
    static let listedInserted = ObjectState(rawValue: 1 << 13)
    static let listedUpdated = ObjectState(rawValue: 1 << 14)
    static let listedDeleted = ObjectState(rawValue: 1 << 15)
    /// The row is being read. Methods that are called in between find a fault without values.
    static let firing = ObjectState(rawValue: 1 << 16)
    /// Deleted because the deletion was saved elsewhere. It is forgotten when it has no other references.
    static let deletedElsewhere = ObjectState(rawValue: 1 << 17)

    /// Reads have to be on the context's queue, because the program wants to be stopped otherwise.
    static let confined = ObjectState(rawValue: 1 << 18)

    /// To be deleted because its insertion was undone: its delete rules don't apply.
    static let withdrawn = ObjectState(rawValue: 1 << 19)

    static let changed: ObjectState = [.inserted, .updated, .deleted]
    /// With any of these a read has more to do than to read.
    static let unready: ObjectState = [.fault, .confined]

    // What the object's properties of these names say. Subclasses may override those; the engine asks these.
    var isFault: Bool { contains(.fault) }
    var isInserted: Bool { contains(.inserted) && !contains(.deleted) }
    var isDeleted: Bool { contains(.deleted) }
    var isUpdated: Bool { contains(.updated) && isDisjoint(with: [.inserted, .deleted]) }
    var hasChanges: Bool { !isDisjoint(with: .changed) }
    /// Whether there is no newer row to be had.
    var hasNoRow: Bool { !isDisjoint(with: [.inserted, .deleted, .removed, .inaccessible]) }
}
