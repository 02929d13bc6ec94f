import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What is undone is as if it had not been done, with saves in between, whatever the delete rules.
@Suite struct UndoWalkTests {
    static let types = [NSInMemoryStoreType, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    @Test(arguments: types) func aRandomWalkEndsWhereItBegan(_ type: String) throws {
        for seed in UInt64(1)...40 {
            var walk = try UndoWalk(seed: seed, type: type)
            try walk.context.performAndWait { try walk.run(steps: 12) }
            let first = walk.differences.first ?? ""
            #expect(first.isEmpty, "seed \(seed)")
            if !first.isEmpty { return }
        }
    }

    /// Boxes with members by one rule, an undo manager, and three saved notes.
    private func withNotes(
        _ rule: NSDeleteRule, type: String = NSSQLiteStoreType, hasInverse: Bool = true,
        _ body: (TestStack, NSManagedObjectContext, [NSManagedObject]) throws -> Void
    ) throws {
        let model = UndoWalk.model()
        let box = try #require(model.entitiesByName["Box"])
        box.relationshipsByName["notes"]?.deleteRule = rule
        if !hasInverse {
            box.relationshipsByName["notes"]?.inverseRelationship = nil
            model.entitiesByName["Note"]?.relationshipsByName["box"]?.inverseRelationship = nil
        }
        let stack = try TestStack(model: model, type: type)
        try stack.inContext { context in
            let notes = (0..<3).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Note", into: context) }
            try context.save()
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            try body(stack, context, notes)
        }
    }

    private func insertBox(_ context: NSManagedObjectContext, _ notes: [NSManagedObject]) -> NSManagedObject {
        context.undoManager?.beginUndoGrouping()
        let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
        box.setValue(Set(notes), forKey: "notes")
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
        return box
    }

    private func counts(_ stack: TestStack) throws -> [Int] {
        try stack.inContext { context in
            try ["Box", "Note"].map { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0)) }
        }
    }

    @Test(arguments: [NSDeleteRule.cascadeDeleteRule, .denyDeleteRule, .nullifyDeleteRule, .noActionDeleteRule], types)
    func undoingAnInsertionLeavesItsMembers(_ rule: NSDeleteRule, _ type: String) throws {
        for hasInverse in [true, false] {
            try withNotes(rule, type: type, hasInverse: hasInverse) { stack, context, notes in
                let box = insertBox(context, notes)
                try context.save()
                context.undo()
                #expect(box.isDeleted && context.deletedObjects == [box])
                try context.save()
                #expect(notes.allSatisfy { !$0.isDeleted && $0.value(forKey: "box") == nil })
                #expect(try counts(stack) == [0, 3])
                context.redo()
                try context.save()
                #expect(box.value(forKey: "notes") as? Set<NSManagedObject> == Set(notes))
                #expect(try counts(stack) == [1, 3])
            }
        }
    }

    /// What leads to the object since is no part of what is undone: it loses the link, and stays.
    @Test(arguments: [NSDeleteRule.cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule])
    func aLinkThatCanNotBeUndoneIsCleared(_ rule: NSDeleteRule) throws {
        try withNotes(rule) { stack, context, notes in
            let box = insertBox(context, [])
            try context.save()
            context.undoManager?.disableUndoRegistration()
            notes[0].setValue(box, forKey: "box")
            context.processPendingChanges()
            context.undoManager?.enableUndoRegistration()
            try context.save()
            context.undo()
            #expect(notes[0].value(forKey: "box") == nil)
            try context.save()
            #expect(try counts(stack) == [0, 3])
        }
    }

    @Test(arguments: [NSDeleteRule.cascadeDeleteRule, .denyDeleteRule])
    func aParentIsGivenTheInsertionUndone(_ rule: NSDeleteRule) throws {
        for hasInverse in [true, false] {
            try withNotes(rule, hasInverse: hasInverse) { stack, parent, notes in
                parent.undoManager = nil
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = parent
                try child.performAndWait {
                    child.undoManager = UndoManager()
                    child.undoManager?.groupsByEvent = false
                    _ = insertBox(child, notes.map { child.object(with: $0.objectID) })
                    try child.save()
                }
                try parent.save()
                #expect(try counts(stack) == [1, 3])
                try child.performAndWait {
                    child.undo()
                    try child.save()
                }
                try parent.save()
                #expect(try counts(stack) == [0, 3])
            }
        }
    }

    /// A link that a deny or no-action rule leaves to an object that is never saved leads nowhere.
    @Test(arguments: types) func aLinkToAnObjectThatIsNeverSavedIsStoredAsNone(_ type: String) throws {
        let stack = try TestStack(model: UndoWalk.model(), type: type)
        try stack.inContext { context in
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            let lock = NSEntityDescription.insertNewObject(forEntityName: "Lock", into: context)
            lock.setValue(box, forKey: "box")
            context.delete(box)
            try context.save()
            #expect(lock.value(forKey: "box") == nil)
            context.reset()
            let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Lock"))
            #expect(found.count == 1 && found.first?.value(forKey: "box") == nil)
        }
    }

    @Test func anObjectInsertedAgainInOneEventIsUndoneOnce() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            context.undoManager = UndoManager()
            let book = Book(context: context)
            context.delete(book)
            context.insert(book)
            #expect(context.insertedObjects == [book])
            context.undo()
            #expect(context.insertedObjects.isEmpty && !context.hasChanges)
            context.redo()
            #expect(context.insertedObjects == [book])
            try context.save()
        }
    }

    /// Without an inverse, the store knows by the member's row whose it is.
    @Test(arguments: [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule], types)
    func aDeletedMemberOfAToManyWithoutInverseComesBack(_ rule: NSDeleteRule, _ type: String) throws {
        try withNotes(rule, type: type, hasInverse: false) { stack, context, notes in
            let box = insertBox(context, notes)
            try context.save()
            context.refreshAllObjects()
            for savesBetween in [false, true] {
                context.undoManager?.beginUndoGrouping()
                context.delete(notes[0])
                context.processPendingChanges()
                context.undoManager?.endUndoGrouping()
                if savesBetween { try context.save() }
                context.undo()
                try context.save()
                context.refreshAllObjects()
                #expect(box.value(forKey: "notes") as? Set<NSManagedObject> == Set(notes))
            }
            #expect(try counts(stack) == [1, 3])
        }
    }

    /// Members of a relationship whose rule is to do nothing are known when the object comes back.
    @Test(arguments: types) func membersWithoutARuleComeBack(_ type: String) throws {
        try withNotes(.noActionDeleteRule, type: type) { stack, context, notes in
            let box = insertBox(context, notes)
            try context.save()
            context.undoManager?.removeAllActions()
            context.refreshAllObjects()
            context.undoManager?.beginUndoGrouping()
            context.delete(box)
            context.processPendingChanges()
            context.undoManager?.endUndoGrouping()
            try context.save()
            context.undo()
            #expect(box.value(forKey: "notes") as? Set<NSManagedObject> == Set(notes))
            try context.save()
            #expect(try counts(stack) == [1, 3])
        }
    }
}
