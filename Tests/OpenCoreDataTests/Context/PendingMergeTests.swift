import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What others saved, merged into a context with unsaved changes of the same relationships.
@Suite(.serialized) struct PendingMergeTests {
    /// How a context gets to know what another one saved.
    enum Way: CaseIterable { case notification, automatic, refresh, refreshAll, remote }

    /// A box with the items 0 to 2 in every to-many, and the items 3 and 4 in none.
    private func stack(_ type: String, rule: NSDeleteRule = .nullifyDeleteRule) throws -> TestStack {
        let stack = try TestStack(model: BoxModel.make(rule: rule), type: type)
        try stack.inContext { context throws in
            let boxes = ["a", "b", "c"].map(context.box)
            for key in 0..<5 {
                let item = context.item(key)
                guard key < 3 else { continue }
                for relationship in BoxModel.toManys { boxes[0].add(item, to: relationship) }
            }
            try context.save()
        }
        return stack
    }

    /// Changes a box here, then in another context that saves; merges that, and looks at the box.
    private func merge(
        _ stack: TestStack, _ way: Way, ours: (NSManagedObject, NSManagedObjectContext) throws -> Void,
        theirs: (NSManagedObject, NSManagedObjectContext) throws -> Void,
        after: (NSManagedObject, NSManagedObjectContext) throws -> Void
    ) throws {
        let (mine, other) = (stack.context(), stack.context())
        mine.automaticallyMergesChangesFromParent = way == .automatic
        let log = NotificationLog(other)
        let id = try mine.performAndWait {
            let box = try #require(try mine.stored("Box", "a"))
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 1, 2]) }
            try ours(box, mine)
            mine.processPendingChanges()
            return box.objectID
        }
        try other.performAndWait {
            try theirs(other.object(with: id), other)
            try other.save()
        }
        // After what was merged automatically.
        try mine.performAndWait {
            let saved = try #require(log.entries(.NSManagedObjectContextDidSave).first).notification
            switch way {
            case .notification: mine.mergeChanges(fromContextDidSave: saved)
            case .automatic: break
            case .refresh: mine.refresh(mine.object(with: id), mergeChanges: true)
            case .refreshAll: mine.refreshAllObjects()
            case .remote:
                let ids = log.entries(.NSManagedObjectContextDidSaveObjectIDs).first?.notification.userInfo ?? [:]
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [mine])
            }
            try after(mine.object(with: id), mine)
        }
    }

    @Test(arguments: BoxModel.storeTypes, Way.allCases)
    func aToManyHasTheStoresMembersAndTheLocalChangesOnTop(type: String, way: Way) throws {
        let stack = try stack(type)
        try merge(stack, way) { box, context in
            let new = context.item(9)
            for relationship in BoxModel.toManys {
                box.add(new, to: relationship)
                box.remove(try context.stored("Item", 1), from: relationship)
            }
        } theirs: { box, context in
            for relationship in BoxModel.toManys {
                box.add(try context.stored("Item", 3), to: relationship)
                box.remove(try context.stored("Item", 2), from: relationship)
            }
        } after: { box, context in
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 3, 9], "\(relationship)") }
            #expect(box.hasChanges)
            try context.save()
            #expect(!context.hasChanges)
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 3, 9], "\(relationship)") }
        }
        try stack.inContext { context throws in
            let box = try #require(try context.stored("Box", "a"))
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 3, 9], "\(relationship)") }
            #expect(try context.storedKeys("owner.title == 'a'") == [0, 3, 9])
        }
    }

    @Test(arguments: BoxModel.storeTypes, ["list", "ranked"])
    func anOrderMadeByHandIsKeptAroundWhatOthersAdded(type: String, relationship: String) throws {
        for (ours, expected) in [
            ([2, 0, 1], [2, 0, 3]), ([0, 9, 1, 2], [0, 9, 2, 3]), ([9, 0, 1, 2], [9, 0, 2, 3]),
        ] {
            let stack = try stack(type)
            try merge(stack, .notification) { box, context in
                let items = try ours.map { try context.stored("Item", $0) ?? context.item($0) }
                box.setValue(NSOrderedSet(array: items), forKey: relationship)
            } theirs: { box, context in
                box.add(try context.stored("Item", 3), to: relationship)
                box.remove(try context.stored("Item", 1), from: relationship)
            } after: { box, context in
                #expect(box.keys(relationship) == expected)
                try context.save()
            }
            try stack.inContext { context throws in
                #expect(try context.stored("Box", "a")?.keys(relationship) == expected)
            }
        }
    }

    @Test(arguments: BoxModel.storeTypes) func theirOrderIsTakenWhereNoneWasMadeHere(type: String) throws {
        let stack = try stack(type)
        try merge(stack, .notification) { box, context in
            box.add(context.item(9), to: "list")
        } theirs: { box, context in
            let items = try [2, 3, 0, 1].compactMap { try context.stored("Item", $0) }
            box.setValue(NSOrderedSet(array: items), forKey: "list")
        } after: { box, context in
            #expect(box.keys("list") == [2, 3, 0, 1, 9])
            try context.save()
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "a")?.keys("list") == [2, 3, 0, 1, 9])
        }
    }

    @Test(arguments: BoxModel.storeTypes, Way.allCases)
    func deletingAfterAMergeReachesAllMembers(type: String, way: Way) throws {
        for rule in [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule] {
            let stack = try stack(type, rule: rule)
            try merge(stack, way) { box, context in
                box.add(context.item(9), to: "items")
            } theirs: { box, context in
                box.add(try context.stored("Item", 3), to: "items")
            } after: { box, context in
                context.delete(box)
                try context.save()
            }
            try stack.inContext { context throws in
                #expect(try context.storedKeys() == (rule == .cascadeDeleteRule ? [4] : [0, 1, 2, 3, 4, 9]))
                #expect(try context.storedKeys("owner != nil").isEmpty)
            }
        }
    }

    @Test(arguments: BoxModel.storeTypes, Way.allCases)
    func aPendingDeletionReachesWhatOthersLinkedSince(type: String, way: Way) throws {
        for rule in [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule] {
            let stack = try stack(type, rule: rule)
            try merge(stack, way) { box, context in
                context.delete(box)
            } theirs: { box, context in
                for relationship in BoxModel.toManys { box.add(try context.stored("Item", 3), to: relationship) }
            } after: { _, context in
                try context.save()
            }
            try stack.inContext { context throws in
                #expect(try context.storedKeys() == (rule == .cascadeDeleteRule ? [4] : [0, 1, 2, 3, 4]))
                #expect(try context.storedKeys("owner != nil OR shelf != nil").isEmpty)
                #expect(try context.storedKeys("tagged.@count > 0 OR rankers.@count > 0").isEmpty)
            }
        }
    }

    @Test(arguments: BoxModel.storeTypes, [Way.notification, .automatic, .remote])
    func anObjectThatBothMovedIsWhereItWasMovedHere(type: String, way: Way) throws {
        let stack = try stack(type)
        try merge(stack, way) { _, context in
            let item = try context.stored("Item", 0)
            let box = try context.stored("Box", "b")
            item?.setValue(box, forKey: "owner")
            box?.setValue(item, forKey: "cover")
        } theirs: { _, context in
            let item = try context.stored("Item", 0)
            let box = try context.stored("Box", "c")
            item?.setValue(box, forKey: "owner")
            box?.setValue(item, forKey: "cover")
        } after: { box, context in
            let (b, c) = (try #require(try context.stored("Box", "b")), try #require(try context.stored("Box", "c")))
            func check() {
                #expect(box.keys("items") == [1, 2] && b.keys("items") == [0] && c.keys("items") == [])
                #expect(c.value(forKey: "cover") == nil)
                let item = b.value(forKey: "cover") as? NSManagedObject
                #expect(item?.value(forKey: "covered") as? NSManagedObject === b)
            }
            check()
            try context.save()
            check()
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "b")?.keys("items") == [0])
            #expect(try context.stored("Box", "c")?.keys("items") == [])
            #expect(try context.stored("Box", "c")?.value(forKey: "cover") == nil)
        }
    }

    /// What was linked here to an object that others deleted would lead to nothing.
    @Test(arguments: BoxModel.storeTypes, [Way.notification, .automatic, .remote])
    func linksToWhatOthersDeletedAreDropped(type: String, way: Way) throws {
        let stack = try stack(type)
        try merge(stack, way) { _, context in
            let b = try context.stored("Box", "b")
            let item = context.item(9)
            for key in ["owner", "shelf", "covered", "friend"] { item.setValue(b, forKey: key) }
            b?.add(item, to: "tags")
            try context.stored("Box", "c")?.add(try context.stored("Item", 4), to: "loose")
        } theirs: { _, context in
            try context.stored("Box", "b").map(context.delete)
            try context.stored("Item", 4).map(context.delete)
        } after: { _, context in
            let item = try #require(try context.stored("Item", 9))
            for key in ["owner", "shelf", "covered", "friend"] { #expect(item.value(forKey: key) == nil, "\(key)") }
            #expect((item.value(forKey: "tagged") as? Set<NSManagedObject>)?.isEmpty == true)
            #expect(try context.stored("Box", "c")?.keys("loose") == [])
            try context.save()
        }
        try stack.inContext { context throws in
            #expect(try context.storedKeys("friend != nil OR owner.title == 'b'").isEmpty)
            #expect(try context.storedKeys() == [0, 1, 2, 3, 9])
            if type == NSSQLiteStoreType, stack.isFile {
                #expect(try StoreChecker.findings(inStoreAt: stack.url, model: BoxModel.make()).isEmpty)
            }
        }
    }

    @Test(arguments: BoxModel.storeTypes, [Way.notification, .refresh])
    func aValueThatWasSetToWhatItWasIsNoChange(type: String, way: Way) throws {
        let stack = try stack(type)
        try merge(stack, way) { box, _ in
            box.setValue("a", forKey: "title")
        } theirs: { box, _ in
            box.setValue("theirs", forKey: "title")
        } after: { box, context in
            #expect(box.value(forKey: "title") as? String == "theirs")
            try context.save()
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "theirs") != nil)
        }
    }

    // MARK: Parents and children

    @Test(arguments: BoxModel.storeTypes, [false, true])
    func aChildHasTheParentsMembersAndItsChangesOnTop(type: String, refreshes: Bool) throws {
        let stack = try stack(type)
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        child.automaticallyMergesChangesFromParent = !refreshes
        let id = try child.performAndWait {
            let box = try #require(try child.stored("Box", "a"))
            let new = child.item(9)
            for relationship in BoxModel.toManys {
                #expect(box.keys(relationship) == [0, 1, 2])
                box.add(new, to: relationship)
            }
            return box.objectID
        }
        try parent.performAndWait {
            let box = parent.object(with: id)
            box.setValue("renamed", forKey: "title")
            for relationship in BoxModel.toManys {
                box.add(try parent.stored("Item", 3), to: relationship)
                box.remove(try parent.stored("Item", 1), from: relationship)
            }
            try parent.save()
        }
        try child.performAndWait {
            let box = child.object(with: id)
            if refreshes { child.refresh(box, mergeChanges: true) }
            #expect(box.value(forKey: "title") as? String == "renamed")
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 2, 3, 9], "\(relationship)") }
            try child.save()
        }
        try parent.performAndWait {
            let box = parent.object(with: id)
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 2, 3, 9], "\(relationship)") }
            try parent.save()
        }
        try stack.inContext { context throws in
            let box = context.object(with: id)
            for relationship in BoxModel.toManys { #expect(box.keys(relationship) == [0, 2, 3, 9], "\(relationship)") }
        }
    }

    /// Two children that change the same list, which neither of them reads again.
    @Test(arguments: BoxModel.storeTypes) func whatTwoChildrenAddedIsInTheParent(type: String) throws {
        let stack = try stack(type)
        let parent = stack.context()
        let id = try parent.performAndWait { try #require(try parent.stored("Box", "a")).objectID }
        let children = (0..<2).map { _ in NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) }
        for (number, child) in children.enumerated() {
            child.parent = parent
            child.performAndWait {
                let box = child.object(with: id)
                let new = child.item(10 + number)
                for relationship in BoxModel.toManys {
                    #expect(box.keys(relationship) == [0, 1, 2])
                    box.add(new, to: relationship)
                }
            }
        }
        for child in children { try child.performAndWait { try child.save() } }
        try parent.performAndWait {
            let box = parent.object(with: id)
            for relationship in BoxModel.toManys {
                #expect(box.keys(relationship) == [0, 1, 2, 10, 11], "\(relationship)")
            }
            try parent.save()
        }
        try stack.inContext { context throws in
            let box = context.object(with: id)
            for relationship in BoxModel.toManys {
                #expect(box.keys(relationship) == [0, 1, 2, 10, 11], "\(relationship)")
            }
        }
    }
}
