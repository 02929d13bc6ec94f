public import Foundation

/// An object that was changed or deleted both in the context and elsewhere since the context read it.
///
/// Belongs to the queue of the object's context.
open class NSMergeConflict: NSObject {
    /// The object with unsaved changes.
    open private(set) var sourceObject: NSManagedObject
    /// What the context last read, by property; `NSNull` for no value.
    open private(set) var objectSnapshot: [String: Any]?
    /// Newer values that another context saved, when the coordinator knows them.
    open private(set) var cachedSnapshot: [String: Any]?
    /// Newer values in the store; `nil` when the conflict is with `cachedSnapshot`, or the row is gone.
    open private(set) var persistedSnapshot: [String: Any]?
    /// The version that the store has now; 0 when the row is gone.
    open private(set) var newVersionNumber: Int
    /// The version that the context read.
    open private(set) var oldVersionNumber: Int

    /// What a policy decided about the object as a whole.
    package enum Outcome: Sendable {
        /// No policy of the engine has seen the conflict. Local changes stay and are saved over the newer row.
        case pending
        /// Changes are merged; those that are left in the object are saved over the newer row.
        case merged
        /// Local changes, or the local deletion, are dropped.
        case rolledBack
        /// The object is deleted although it was changed elsewhere.
        case deletionStands
        /// The row is deleted and is written again with all values.
        case recreated
        /// The row is gone, and the object goes with it.
        case vanished
    }

    package internal(set) var outcome: Outcome = .pending
    /// Puts the newest row under the object's unsaved changes; set by the context.
    package var onRebase: (() -> Void)?

    /// Describes a conflict.
    ///
    /// Contexts create conflicts when a save finds them; programs only do so in tests. The ``objectSnapshot`` is read
    /// from the object, so call it on the queue of its context.
    ///
    /// - Parameters:
    ///   - srcObject: The object.
    ///   - newvers: The version in the store, 0 when the row is gone.
    ///   - oldvers: The version that the context read.
    ///   - cachesnap: Newer values that the coordinator knows.
    ///   - persnap: Newer values in the store.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        objectSnapshot = srcObject.committedValues(forKeys: nil)
        super.init()
    }

    /// Creates a conflict of an object without entity, as tests of code that takes conflicts use it.
    public override convenience init() {
        self.init(
            source: NSManagedObject(entity: EntityLayout.nameless.entity, insertInto: nil), newVersion: 0,
            oldVersion: 0,
            cachedSnapshot: nil, persistedSnapshot: nil)
    }

    /// Puts the newest row under the object's unsaved changes, once.
    ///
    /// The engine's policies call it before they look at the object; the context calls it for conflicts that no policy
    /// of the engine has seen.
    package final func rebase() {
        let action = onRebase
        onRebase = nil
        action?()
    }

    open override var description: String {
        "<NSMergeConflict \(sourceObject.objectID) old version: \(oldVersionNumber) new version: \(newVersionNumber)>"
    }
}
