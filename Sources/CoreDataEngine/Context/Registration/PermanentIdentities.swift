import Foundation
import Synchronization

/// Which permanent identity an object got that children, or rows, still know by its temporary one.
struct PermanentIdentities: Sendable {
    struct Identity: Sendable {
        let reference: Int64
        let store: NSPersistentStore
        /// What the context's `identityChanges` became with it.
        let change: Int
    }

    /// The number of identities that are kept without checking who needs them, and the number of the newest ones that
    /// are always kept. Identifiers that the program holds are valid for as long.
    static let recentCount = 4_096

    /// By temporary reference.
    private(set) var byReference: [Int64: Identity] = [:]
    /// Temporary references of objects that the parent has, or had, under the same reference.
    private(set) var borrowed: Set<Int64> = []
    /// What `identityChanges` of all ancestors added up to when they were asked last.
    var seenChanges = 0
    /// Those in rows from the parent that may still be read.
    private var origins: [WeakReference<ParentOrigin>] = []
    // Sizes at which is looked for what is not needed any more.
    private var identityLimit = 2 * recentCount
    private var borrowedLimit = recentCount
    private var originLimit = 64

    /// Stores that `assign(_:to:)` chose, by temporary reference.
    var assignedStores: [Int64: NSPersistentStore] = [:]

    // MARK: Given

    mutating func give(_ identity: Identity, to temporary: Int64) { byReference[temporary] = identity }

    mutating func forgetGiven() { byReference = [:] }

    /// Whether there are so many identities that unused ones should be dropped.
    var hasManyGiven: Bool { byReference.count >= identityLimit }

    /// Forgets old identities that no row has and that no child can ask for.
    ///
    /// - Parameters:
    ///   - asked: The value of `identityChanges` up to which all children have asked.
    ///   - changes: The present one.
    mutating func forgetGiven(before asked: Int, of changes: Int) {
        let limit = min(asked, changes - Self.recentCount)
        let inRows = referencesInRows
        byReference = byReference.filter { $0.value.change > limit || inRows.contains($0.key) }
        identityLimit = max(2 * Self.recentCount, 2 * byReference.count, origins.count)
    }

    // MARK: Borrowed

    /// - Returns: Whether it is new.
    mutating func borrow(_ temporary: Int64) -> Bool { borrowed.insert(temporary).inserted }

    mutating func giveBack(_ temporary: Int64) { borrowed.remove(temporary) }

    /// Whether so many identities are borrowed that those without objects should be dropped.
    var hasManyBorrowed: Bool { borrowed.count >= borrowedLimit }

    /// Forgets what no row and no object has any longer.
    mutating func forgetBorrowed(unless isKnown: (Int64) -> Bool) {
        let inRows = referencesInRows
        borrowed = borrowed.filter { inRows.contains($0) || isKnown($0) }
        borrowedLimit = max(Self.recentCount, 2 * borrowed.count)
    }

    // MARK: Rows

    /// Notes rows from the parent that have temporary references.
    mutating func follow(_ origin: ParentOrigin) {
        origins.append(WeakReference(origin))
        guard origins.count > originLimit else { return }
        origins.removeAll { $0.object == nil }
        originLimit = max(64, 2 * origins.count)
    }

    private var referencesInRows: Set<Int64> {
        origins.reduce(into: []) { all, origin in
            guard let origin = origin.object else { return }
            all.formUnion(origin.ownReferences)
            all.formUnion(origin.destinations)
        }
    }
}

/// A child's objects get the permanent identities that a save further up gave to theirs.
extension NSManagedObjectContext {
    /// Notes a new identity where a child or a parent's row may still use the old one.
    final func recordPermanentIdentity(_ temporary: Int64, reference: Int64, store: NSPersistentStore) {
        guard temporary < 0 else { return }
        guard parent != nil || !observers.children.isEmpty else {
            if !identities.byReference.isEmpty { identities.forgetGiven() }
            return
        }
        let change = identityChanges.given.add(1, ordering: .acquiringAndReleasing).newValue
        identities.give(
            PermanentIdentities.Identity(reference: reference, store: store, change: change), to: temporary)
        guard identities.hasManyGiven else { return }
        let asked = observers.children.all.map { $0.identityChanges.asked.load(ordering: .acquiring) }.min() ?? .max
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
                identityChanges.asked.load(ordering: .relaxed), parent.identityChanges.given.load(ordering: .relaxed))
            identityChanges.asked.store(asked, ordering: .releasing)
            return try body()
        }
    }

    /// Asks the ancestors for identities that they gave since they were asked last.
    final func adoptPermanentIdentities() {
        guard let parent else { return }
        guard !identities.borrowed.isEmpty else {
            return identityChanges.asked.store(.max, ordering: .releasing)
        }
        guard ancestorIdentityChanges != identities.seenChanges else { return }
        let wanted = identities.borrowed
        let (changes, found) = parent.performAndWait {
            parent.adoptPermanentIdentities()
            let own = parent.identityChanges.given.load(ordering: .acquiring)
            identityChanges.asked.store(own, ordering: .releasing)
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
            sum &+= context.identityChanges.given.load(ordering: .acquiring)
            ancestor = context.parent
        }
        return sum
    }
}

/// How far a context's permanent identities are known to others. Contexts use it on their own queues.
struct IdentityChanges: ~Copyable {
    /// How many permanent identities this context gave; children compare, on their own queues.
    let given = Atomic<Int>(0)
    /// Up to which of the parent's `given` this context has asked; `Int.max` when it has nothing to ask for.
    let asked = Atomic<Int>(.max)
}
