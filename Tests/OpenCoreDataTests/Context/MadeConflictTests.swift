import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Conflicts that a program makes itself, for policies and for tests of what it does with them.
@Suite struct MadeConflictTests {
    @Test func aMergeConflictHasWhatItWasMadeOf() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            book.title = "stored"
            try context.save()
            book.title = "mine"
            let conflict = NSMergeConflict(
                source: book, newVersion: 3, oldVersion: 2, cachedSnapshot: ["title": "theirs"], persistedSnapshot: nil)
            #expect(conflict.sourceObject === book)
            #expect(conflict.newVersionNumber == 3 && conflict.oldVersionNumber == 2)
            #expect(conflict.objectSnapshot?["title"] as? String == "stored")
            #expect(conflict.cachedSnapshot?["title"] as? String == "theirs" && conflict.persistedSnapshot == nil)
            try NSMergePolicy(merge: .overwriteMergePolicyType).resolve(mergeConflicts: [conflict])
            #expect(book.title == "mine")
        }
    }

    @Test func aConstraintConflictHasWhatItWasMadeOf() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let labels = (1...2).map { _ in
                let label = Label(context: context)
                label.name = "same"
                return label
            }
            let conflict = NSConstraintConflict(
                constraint: ["name"], database: nil, databaseSnapshot: nil, conflicting: labels,
                conflictingSnapshots: [[:], [:]])
            #expect(conflict.constraint == ["name"] && conflict.conflictingObjects == labels)
            #expect(conflict.constraintValues["name"] as? String == "same" && conflict.databaseObject == nil)
        }
    }

    @Test func emptyOnesCanBeMade() {
        let merge = NSMergeConflict()
        #expect(merge.newVersionNumber == 0 && merge.sourceObject.managedObjectContext == nil)
        #expect(!merge.description.isEmpty)
        let constraint = NSConstraintConflict()
        #expect(constraint.constraint.isEmpty && constraint.conflictingObjects.isEmpty)
        #expect(!constraint.description.isEmpty)
    }
}
