import Foundation
import Synchronization

/// Which permanent identity an object got that children, or rows, still know by its temporary one.
struct PermanentIdentities: Sendable {
    struct Identity: Sendable {
        let reference: Int64
        let store: NSPersistentStore
    }

    /// By temporary reference.
    var byReference: [Int64: Identity] = [:]
    /// Temporary references of objects that the parent has, or had, under the same reference.
    var borrowed: Set<Int64> = []
    /// What `identityChanges` of all ancestors added up to when they were asked last.
    var seenChanges = 0
}

/// A child's objects get the permanent identities that a save further up gave to theirs.
extension NSManagedObjectContext {
    /// Notes a new identity where a child or a parent's row may still use the old one.
    final func recordPermanentIdentity(_ temporary: Int64, reference: Int64, store: NSPersistentStore) {
        guard temporary < 0 else { return }
        if parent != nil || !children.isEmpty {
            identities.byReference[temporary] = PermanentIdentities.Identity(reference: reference, store: store)
            identityChanges.add(1, ordering: .releasing)
        } else if !identities.byReference.isEmpty {
            identities.byReference = [:]
        }
    }

    /// Notes that an object is known by the temporary reference that the parent has, or had, for it.
    ///
    /// The parent may have given it a permanent identity long ago, and this context then learns of it now.
    ///
    /// - Parameter changes: What `identityChanges` of all ancestors added up to when the parent had that reference, if
    ///   known.
    final func borrow(_ temporary: Int64, since changes: Int = 0) {
        let isFirst = identities.borrowed.isEmpty
        guard identities.borrowed.insert(temporary).inserted else { return }
        // The others were not asked for since they were asked for last.
        identities.seenChanges = isFirst ? changes : min(identities.seenChanges, changes)
    }

    /// Asks the ancestors for identities that they gave since they were asked last.
    final func adoptPermanentIdentities() {
        guard let parent, !identities.borrowed.isEmpty else { return }
        guard ancestorIdentityChanges != identities.seenChanges else { return }
        let wanted = identities.borrowed
        let (changes, found) = parent.performAndWait {
            parent.adoptPermanentIdentities()
            let changes = parent.identityChanges.load(ordering: .acquiring) &+ parent.ancestorIdentityChanges
            let found: [(Int64, PermanentIdentities.Identity)] = wanted.compactMap { temporary in
                parent.identities.byReference[temporary].map { (temporary, $0) }
            }
            return (changes, found)
        }
        identities.seenChanges = changes
        for (temporary, identity) in found {
            identities.borrowed.remove(temporary)
            if let object = registry.temporary.object(for: temporary) {
                rekey(object, reference: identity.reference, store: identity.store)
            } else {
                recordPermanentIdentity(temporary, reference: identity.reference, store: identity.store)
            }
        }
    }

    /// How many identities all ancestors gave.
    final var ancestorIdentityChanges: Int {
        var sum = 0
        var ancestor = parent
        while let context = ancestor {
            sum &+= context.identityChanges.load(ordering: .acquiring)
            ancestor = context.parent
        }
        return sum
    }
}
