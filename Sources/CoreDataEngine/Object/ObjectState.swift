/// What an object is in its context.
struct ObjectState: OptionSet {
    let rawValue: UInt16

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
    /// The row was found missing when the fault fired; all values are nil.
    static let inaccessible = ObjectState(rawValue: 1 << 5)
    /// Deleted because the deletion was saved elsewhere. It is forgotten when it has no other references.
    static let deletedElsewhere = ObjectState(rawValue: 1 << 6)
    /// The row is being read. Methods that are called in between find a fault without values.
    static let firing = ObjectState(rawValue: 1 << 7)
    /// Changes are the engine's own (awake, refresh, merge) and make nothing dirty.
    static let untracked = ObjectState(rawValue: 1 << 8)
    /// Was given a second number of an object that was never saved, which says nothing of when it was made.
    static let renumbered = ObjectState(rawValue: 1 << 9)
    /// Reads have to be on the context's queue, because the program is to be stopped otherwise.
    static let confined = ObjectState(rawValue: 1 << 10)

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
