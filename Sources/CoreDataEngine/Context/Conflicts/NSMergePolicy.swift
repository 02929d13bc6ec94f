public import Foundation

/// How conflicts between a save and the store are settled.
///
/// A context calls ``resolve(mergeConflicts:)`` once per attempt to save, with all conflicts, on its own queue. A
/// subclass may call `super` and then change the source objects; its changes are part of the same save.
// @unchecked Sendable because the type is a constant; a subclass that keeps state must protect it.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// Which rule the policy follows.
    open var mergeType: NSMergePolicyType { rule }
    private let rule: NSMergePolicyType

    /// Creates a policy.
    ///
    /// Most programs use the constants, such as ``mergeByPropertyObjectTrump``, which are policies of this class.
    /// Create one for a subclass that overrides ``resolve(mergeConflicts:)`` and builds on a rule.
    ///
    /// ```swift
    /// context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    /// ```
    ///
    /// - Parameter ty: The rule.
    public init(merge ty: NSMergePolicyType) {
        rule = ty
        super.init()
    }

    /// A save with conflicts fails. The default.
    open class var error: NSMergePolicy { standardError }
    /// Property by property: what the store has wins over a local change of the same property.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { standardStoreTrump }
    /// Property by property: a local change wins over what the store has. A row that was deleted stays deleted.
    open class var mergeByPropertyObjectTrump: NSMergePolicy { standardObjectTrump }
    /// The whole object is written as the context sees it.
    open class var overwrite: NSMergePolicy { standardOverwrite }
    /// Local changes of objects with conflicts are dropped.
    open class var rollback: NSMergePolicy { standardRollback }

    private static let standardError = NSMergePolicy(merge: .errorMergePolicyType)
    private static let standardStoreTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    private static let standardObjectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    private static let standardOverwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
    private static let standardRollback = NSMergePolicy(merge: .rollbackMergePolicyType)

    /// Settles all conflicts of a save.
    ///
    /// It calls ``resolve(optimisticLockingConflicts:)`` and then ``resolve(constraintConflicts:)``, each only if there
    /// are conflicts of its kind. Other elements are ignored. After it returns, the context tries to write again;
    /// conflicts that are left are passed to the policy again, 16 times at most. Then the save throws
    /// `NSManagedObjectMergeError`.
    ///
    /// - Parameter list: `NSMergeConflict`s and `NSConstraintConflict`s.
    /// - Throws: An error under which the save fails and changes nothing.
    open func resolve(mergeConflicts list: [Any]) throws {
        let locking = list.compactMap { $0 as? NSMergeConflict }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !locking.isEmpty { try resolve(optimisticLockingConflicts: locking) }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves the conflicts of objects that were changed or deleted elsewhere since the context read them.
    ///
    /// An object whose row is gone is dropped, but the overwrite rule writes it again. The deletion of an object that
    /// was changed elsewhere stands under the overwrite and the object-trump rule; the other rules cancel it. An empty
    /// list does nothing, even with the error policy.
    ///
    /// - Parameter list: The conflicts of one save.
    /// - Throws: With the error policy `NSManagedObjectMergeError`, with the conflicts under
    ///   `NSPersistentStoreSaveConflictsErrorKey`.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType || list.isEmpty else { throw mergeError(list) }
        for conflict in list { LockingConflictResolution(conflict: conflict).apply(mergeType) }
    }

    /// Resolves the conflicts of objects that break a uniqueness constraint.
    ///
    /// Unless the rule is rollback, a new object becomes the object of the stored row, with the row's ID, if the
    /// context had no object for the row. Otherwise the row's object stays, and the new objects with the same values
    /// are never written. An empty list does nothing, even with the error policy.
    ///
    /// - Parameter list: The conflicts of one save.
    /// - Throws: With the error policy `NSManagedObjectConstraintMergeError`, with the conflicts under
    ///   `NSPersistentStoreSaveConflictsErrorKey`.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType || list.isEmpty else { throw constraintError(list) }
        for conflict in list { ConstraintConflictResolution(conflict: conflict).apply(mergeType) }
    }

    private func mergeError(_ list: [NSMergeConflict]) -> CocoaError {
        let names = list.prefix(3).map { $0.sourceObject.objectID.description }.joined(separator: ", ")
        return CoreDataError.make(
            NSManagedObjectMergeError,
            "\(list.count == 1 ? "An object was" : "\(list.count) objects were") changed elsewhere since the context "
                + "read \(list.count == 1 ? "it" : "them"): \(names).",
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }

    private func constraintError(_ list: [NSConstraintConflict]) -> CocoaError {
        let entity = list.first?.conflictingObjects.first?.entity.name ?? list.first?.databaseObject?.entity.name ?? ""
        let constraint = list.first?.constraint.joined(separator: ", ") ?? ""
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "Objects of the entity \(entity) must differ in \(constraint); \(list.count) value(s) would occur twice.",
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: list])
    }
}

/// The rules of merge policies.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails, and the error lists the conflicts.
    case errorMergePolicyType = 0
    /// Property by property, the store wins over a local change.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property, a local change wins over the store.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The whole object is written as the context has it.
    case overwriteMergePolicyType = 3
    /// Local changes of objects with conflicts are dropped.
    case rollbackMergePolicyType = 4
}

/// The policy under which a save with conflicts fails.
public let NSErrorMergePolicy: NSMergePolicy = .error
/// The policy under which the store wins, property by property.
public let NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy = .mergeByPropertyStoreTrump
/// The policy under which local changes win, property by property.
public let NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy = .mergeByPropertyObjectTrump
/// The policy under which whole objects are written as the context sees them.
public let NSOverwriteMergePolicy: NSMergePolicy = .overwrite
/// The policy under which local changes of objects with conflicts are dropped.
public let NSRollbackMergePolicy: NSMergePolicy = .rollback
