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
