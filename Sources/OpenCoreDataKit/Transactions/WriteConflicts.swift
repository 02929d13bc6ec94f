/// The action for rows that another context or process has changed or deleted since they were read.
public struct WriteConflicts: Sendable, Hashable {
    /// How often a block runs at most.
    let attempts: Int
    /// Which side wins, if one is to.
    let policy: NSMergePolicyType

    private init(attempts: Int = 1, policy: NSMergePolicyType = .errorMergePolicyType) {
        self.attempts = attempts
        self.policy = policy
    }

    /// Forgets what the block did and runs it again on the fresh state, five times at most; then throws.
    public static let retry = retry(atMost: 5)

    /// Discards the block's changes and runs it again on the new state; then throws.
    ///
    /// Between two attempts it waits for a few milliseconds. The block must be safe to run several times. With 0, or a
    /// number below, a conflict is thrown at once, as with ``fail``.
    ///
    /// - Parameter count: How often the block runs again.
    /// - Returns: The behavior.
    public static func retry(atMost count: Int) -> WriteConflicts { WriteConflicts(attempts: max(0, count) + 1) }

    /// Throws ``DatabaseError/conflict(_:)`` at once.
    public static let fail = WriteConflicts()

    /// Property by property, what the store has wins.
    public static let mergeByPropertyStoreTrump = WriteConflicts(policy: .mergeByPropertyStoreTrumpMergePolicyType)

    /// Property by property, what is written wins over what the store has. A new object with a taken unique key becomes the object
    /// that has it, and ``Commit/replaced`` says so: identifiers of it that left the block mean nothing else.
    public static let mergeByPropertyObjectTrump = WriteConflicts(policy: .mergeByPropertyObjectTrumpMergePolicyType)

    /// The written objects win, with all their values.
    public static let overwrite = WriteConflicts(policy: .overwriteMergePolicyType)

    /// The stored objects win, with all their values.
    public static let rollback = WriteConflicts(policy: .rollbackMergePolicyType)
}
