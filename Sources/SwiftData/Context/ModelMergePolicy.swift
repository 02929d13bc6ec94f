import CoreDataEngine

/// Changes here win over changes elsewhere, but not over a deletion.
// @unchecked Sendable because only the context that it belongs to uses it, while that saves.
final class ModelMergePolicy: NSMergePolicy, @unchecked Sendable {
    private let mergesDuplicates: Bool
    /// The objects of which the save makes one row each.
    private var duplicates: [[BackedObject]] = []
    /// Has the models of an object keep their values, because its row may go to another one.
    var willLoseRow: (BackedObject) -> Void = { _ in }

    init(mergesDuplicates: Bool) {
        self.mergesDuplicates = mergesDuplicates
        super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        if !mergesDuplicates { return try NSMergePolicy.error.resolve(constraintConflicts: list) }
        for conflict in list {
            let stored = conflict.databaseObject.map { [$0] } ?? []
            let objects = (stored + conflict.conflictingObjects).compactMap(BackedObject.of)
            duplicates.append(objects)
            // New ones leave the rows that there are where they are.
            guard conflict.conflictingObjects.contains(where: { !$0.objectID.isTemporaryID }) else { continue }
            for object in objects where !object.objectID.isTemporaryID { willLoseRow(object) }
        }
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
