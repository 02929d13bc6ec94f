import CoreDataEngine

/// Changes here win over changes elsewhere, but not over a deletion.
// @unchecked Sendable because only the context that it belongs to uses it, while that saves.
final class ModelMergePolicy: NSMergePolicy, @unchecked Sendable {
    private let mergesDuplicates: Bool
    /// The objects of which the save makes one row each.
    private var duplicates: [[BackedObject]] = []

    init(mergesDuplicates: Bool) {
        self.mergesDuplicates = mergesDuplicates
        super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        if !mergesDuplicates { return try NSMergePolicy.error.resolve(constraintConflicts: list) }
        for conflict in list {
            let stored = conflict.databaseObject.map { [$0] } ?? []
            duplicates.append((stored + conflict.conflictingObjects).compactMap(BackedObject.of))
        }
        // One that is saved may lose its row.
        for object in duplicates.joined() where !object.objectID.isTemporaryID { object.storage?.keepValues() }
        try super.resolve(constraintConflicts: list)
    }

    /// Returns the objects of which a save has made one row each, and forgets them.
    func takeDuplicates() -> [[BackedObject]] {
        defer { duplicates = [] }
        return duplicates
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let (deleted, changed) = (list.filter { $0.newVersionNumber == 0 }, list.filter { $0.newVersionNumber != 0 })
        if !deleted.isEmpty { try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: deleted) }
        if !changed.isEmpty { try super.resolve(optimisticLockingConflicts: changed) }
    }
}
