import Foundation

/// Settles one optimistic-locking conflict by one of the standard rules.
struct LockingConflictResolution {
    let conflict: NSMergeConflict

    /// The newest values, wherever they come from; `nil` when the row is gone.
    private var newest: [String: Any]? { conflict.persistedSnapshot ?? conflict.cachedSnapshot }

    func apply(_ type: NSMergePolicyType) {
        let object = conflict.sourceObject
        guard let newest, conflict.newVersionNumber != 0 else { return settleMissingRow(type) }
        let lasting = type == .overwriteMergePolicyType || type == .mergeByPropertyObjectTrumpMergePolicyType
        if object.state.isDeleted {
            conflict.outcome = lasting ? .deletionStands : .rolledBack
            return
        }
        if type == .rollbackMergePolicyType { return rollBack() }
        let before = conflict.objectSnapshot ?? [:]
        let changed = Set(object.valuesThatChanged(all: true).keys)
        conflict.rebase()
        for (key, value) in Self.assignments(type, changed: changed, before: before, newest: newest)
        where object.layout.slot(named: key)?.isDerived != true {
            SnapshotValue.set(value, forKey: key, of: object)
        }
        conflict.outcome = .merged
    }

    /// Which properties a rule sets, once the newest row lies under the local changes, and to what.
    ///
    /// - Parameters:
    ///   - changed: The names of the properties with local changes.
    ///   - before: The values that the context had read.
    ///   - newest: The values that the store has now.
    static func assignments(
        _ type: NSMergePolicyType, changed: Set<String>, before: [String: Any], newest: [String: Any]
    ) -> [String: Any] {
        newest.reduce(into: [:]) { result, entry in
            let (key, value) = entry
            let old = before[key] ?? NSNull()
            guard !SnapshotValue.equal(old, value) else { return }
            if type == .mergeByPropertyStoreTrumpMergePolicyType, changed.contains(key) { result[key] = value }
            if type == .overwriteMergePolicyType, !changed.contains(key) { result[key] = old }
        }
    }

    /// Property by property there is nothing left to merge with: only who overwrites brings a deleted row back.
    private func settleMissingRow(_ type: NSMergePolicyType) {
        let writes = type == .overwriteMergePolicyType && !conflict.sourceObject.state.isDeleted
        conflict.outcome = writes ? .recreated : .vanished
    }

    private func rollBack() {
        let object = conflict.sourceObject
        object.ownContext?.refreshObject(object, mergeChanges: false)
        conflict.rebase()
        conflict.outcome = .rolledBack
    }
}

/// Values as snapshots hold them: `NSNull` for none, identifiers for related objects.
enum SnapshotValue {
    static func equal(_ left: Any, _ right: Any) -> Bool {
        switch (left, right) {
        case (is NSNull, is NSNull): true
        case (is NSNull, _), (_, is NSNull): false
        default: CollectionEquality.areEqual(left, right)
        }
    }

    static func set(_ value: Any, forKey key: String, of object: NSManagedObject) {
        switch value {
        case is NSNull: object.setValue(nil, forKey: key)
        case let id as NSManagedObjectID where object.entity.relationshipsByName[key] != nil:
            object.setValue(object.ownContext?.anyObject(with: id), forKey: key)
        default: object.setValue(value, forKey: key)
        }
    }
}
