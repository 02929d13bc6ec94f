import Foundation

/// Sets for the user info of notifications.
///
/// They are Swift's own: Foundation's are no sets to Swift when they are of a subclass, and Swift's are both.
enum ListedSet {
    /// The set of a list without duplicates.
    static func of(_ objects: ContiguousArray<NSManagedObject>) -> Set<NSManagedObject> { Set(objects) }

    /// The set of the identifiers of a list.
    static func of(
        _ objects: ContiguousArray<NSManagedObject>, _ identifier: (NSManagedObject) -> NSManagedObjectID
    ) -> Set<NSManagedObjectID> {
        Set(objects.map(identifier))
    }
}
