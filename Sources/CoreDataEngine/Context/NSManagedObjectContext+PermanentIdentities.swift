import Foundation
import Synchronization

/// A child's objects get the permanent identities that a save further up gave to theirs.
extension NSManagedObjectContext {
    /// Notes a new identity where a child or a parent's row may still use the old one.
    final func recordPermanentIdentity(_ temporary: Int64, reference: Int64, store: NSPersistentStore) {
        guard temporary < 0 else { return }
        guard parent != nil || !children.isEmpty else {
            if !identities.byReference.isEmpty { identities.forgetGiven() }
            return
        }
        let change = identityChanges.add(1, ordering: .acquiringAndReleasing).newValue
        identities.give(
            PermanentIdentities.Identity(reference: reference, store: store, change: change), to: temporary)
        guard identities.hasManyGiven else { return }
        let asked = children.all.map { $0.askedIdentityChanges.load(ordering: .acquiring) }.min() ?? .max
        identities.forgetGiven(before: asked, of: change)
    }

    /// Notes that an object is known by the temporary reference that the parent has, or had, for it.
    ///
    /// The parent may have given it a permanent identity long ago, and this context then learns of it now.
    ///
    /// - Parameter changes: What `identityChanges` of all ancestors added up to when the parent had that reference, if
    ///   known.
    final func borrow(_ temporary: Int64, since changes: Int = 0) {
        let isFirst = identities.borrowed.isEmpty
        guard identities.borrow(temporary) else { return }
        // The others were not asked for since they were asked for last.
        identities.seenChanges = isFirst ? changes : min(identities.seenChanges, changes)
    }

    /// Notes the temporary references in rows that the parent made.
    ///
    /// - Parameter changes: What `identityChanges` of all ancestors added up to when it made them.
    final func borrow(from origin: ParentOrigin?, since changes: Int) {
        guard let origin, origin.hasReferences else { return }
        identities.follow(origin)
        for reference in origin.ownReferences where identities.byReference[reference] == nil {
            borrow(reference, since: changes)
        }
        // The parent's row may have one from before the destination was saved.
        for reference in origin.destinations where identities.byReference[reference] == nil { borrow(reference) }
    }

    /// Runs a block on the parent's queue whose result may have temporary identifiers of the parent. The parent keeps
    /// the identities that these receive in the meantime.
    final func ask<Result: Sendable>(
        _ parent: NSManagedObjectContext, _ body: @Sendable () throws -> Result
    ) rethrows -> Result {
        if identities.hasManyBorrowed {
            identities.forgetBorrowed { registry.temporary.object(for: $0) != nil }
        }
        return try parent.performAndWait {
            let asked = min(
                askedIdentityChanges.load(ordering: .relaxed), parent.identityChanges.load(ordering: .relaxed))
            askedIdentityChanges.store(asked, ordering: .releasing)
            return try body()
        }
    }

    /// Asks the ancestors for identities that they gave since they were asked last.
    final func adoptPermanentIdentities() {
        guard let parent else { return }
        guard !identities.borrowed.isEmpty else {
            return askedIdentityChanges.store(.max, ordering: .releasing)
        }
        guard ancestorIdentityChanges != identities.seenChanges else { return }
        let wanted = identities.borrowed
        let (changes, found) = parent.performAndWait {
            parent.adoptPermanentIdentities()
            let own = parent.identityChanges.load(ordering: .acquiring)
            askedIdentityChanges.store(own, ordering: .releasing)
            let found: [(Int64, PermanentIdentities.Identity)] = wanted.compactMap { temporary in
                parent.identities.byReference[temporary].map { (temporary, $0) }
            }
            return (own &+ parent.ancestorIdentityChanges, found)
        }
        identities.seenChanges = changes
        for (temporary, identity) in found {
            identities.giveBack(temporary)
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
