/// Something that has reached the stores of a database.
///
/// A commit without any objects means that any object may have changed, for example by SQL in a block.
public struct Commit: Sendable {
    /// The origin of the changes.
    public enum Kind: Sendable, Hashable {
        /// A block of `write`, a draft, a batch request, or another context of the database.
        case saved
        /// `importing`, all of it as one commit.
        case imported
        /// Another process, or another database of this one on the same file. Without any objects it means that history
        /// was deleted before the database had read it: any object may have changed.
        case external
        /// `erase`: everything is gone, and so are the contexts that there were.
        case erased
    }

    /// The origin of the changes.
    public let kind: Kind
    /// The objects that are new.
    public let inserted: Set<NSManagedObjectID>
    /// The objects that were changed.
    public let updated: Set<NSManagedObjectID>
    /// The objects that are gone.
    public let deleted: Set<NSManagedObjectID>
    /// New objects that were not stored, because another object has their unique key and a merge policy lets it stay: by their
    /// identifier, that of the object that has the key.
    public let replaced: [NSManagedObjectID: NSManagedObjectID]

    package init(
        kind: Kind, inserted: Set<NSManagedObjectID> = [], updated: Set<NSManagedObjectID> = [],
        deleted: Set<NSManagedObjectID> = [], replaced: [NSManagedObjectID: NSManagedObjectID] = [:]
    ) {
        self.kind = kind
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.replaced = replaced
    }
}
