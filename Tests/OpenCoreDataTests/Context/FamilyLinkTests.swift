import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What a child saves on top of what its parent changed since the child read it: both sides of each link agree in the
/// parent and in the store, and nothing leads to what is gone.
@Suite(.serialized) struct FamilyLinkTests {
    private struct Family {
        let stack: TestStack
        let parent: NSManagedObjectContext
        let child: NSManagedObjectContext

        /// The boxes a, b and c, and the items 0 to 2.
        init(_ type: String, rule: NSDeleteRule = .nullifyDeleteRule, isSaved: Bool) throws {
            stack = try TestStack(model: BoxModel.make(rule: rule), type: type)
            parent = stack.context()
            child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try inParent { context throws in
                for title in ["a", "b", "c"] { _ = context.box(title) }
                for key in 0..<3 { _ = context.item(key) }
                if isSaved { try context.save() }
            }
        }

        func inParent(_ body: (NSManagedObjectContext) throws -> Void) throws {
            try parent.performAndWait { try body(parent) }
        }

        func inChild(_ body: (NSManagedObjectContext) throws -> Void) throws {
            try child.performAndWait { try body(child) }
        }

        /// Checks what the parent has, then what the store has after its save, then what the child reads again.
        func expectEverywhere(_ body: (NSManagedObjectContext) throws -> Void) throws {
            try inParent(body)
            try inParent { try $0.save() }
            try inParent(body)
            try stack.inContext(body)
            try inChild { context throws in
                context.refreshAllObjects()
                try body(context)
            }
        }
    }

    private static let ways = BoxModel.storeTypes.flatMap { type in [(type, false), (type, true)] }

    @Test(arguments: ways) func aMemberLeavesTheOwnerThatOnlyTheParentKnows(_ type: String, isSaved: Bool) throws {
        for (toMany, toOne) in [("items", "owner"), ("list", "shelf")] {
            let family = try Family(type, isSaved: isSaved)
            try family.inParent { try $0.stored("Box", "a")?.add($0.stored("Item", 0), to: toMany) }
            try family.inChild { context throws in
                #expect(try context.stored("Box", "a")?.keys(toMany) == [0])
                #expect(try context.stored("Item", 0)?.value(forKey: toOne) != nil)
                #expect(try context.stored("Box", "b")?.keys(toMany) == [])
            }
            try family.inParent { try $0.stored("Box", "b")?.add($0.stored("Item", 0), to: toMany) }
            try family.inChild { context throws in
                try context.stored("Box", "c")?.add(context.stored("Item", 0), to: toMany)
                try context.save()
            }
            try family.expectEverywhere { context throws in
                #expect(try ["a", "b", "c"].map { try context.stored("Box", $0)?.keys(toMany) } == [[], [], [0]])
                let owner = try context.stored("Item", 0)?.value(forKey: toOne) as? NSManagedObject
                #expect(owner?.value(forKey: "title") as? String == "c")
            }
        }
    }

    @Test(arguments: ways) func aOneToOneThatTheParentSetGivesWay(_ type: String, isSaved: Bool) throws {
        let family = try Family(type, isSaved: isSaved)
        try family.inChild { context throws in
            for title in ["a", "b"] { #expect(try context.stored("Box", title)?.value(forKey: "cover") == nil) }
            for key in [0, 1] { #expect(try context.stored("Item", key)?.value(forKey: "covered") == nil) }
        }
        try family.inParent { context throws in
            try context.stored("Box", "b")?.setValue(context.stored("Item", 0), forKey: "cover")
            try context.stored("Box", "a")?.setValue(context.stored("Item", 1), forKey: "cover")
        }
        try family.inChild { context throws in
            try context.stored("Box", "a")?.setValue(context.stored("Item", 0), forKey: "cover")
            try context.save()
        }
        try family.expectEverywhere { context throws in
            let covers = try ["a", "b"].map { title in
                (try context.stored("Box", title)?.value(forKey: "cover") as? NSManagedObject)?.value(forKey: "key")
                    as? Int
            }
            #expect(covers == [0, nil])
            let covered = try [0, 1].map { key in
                (try context.stored("Item", key)?.value(forKey: "covered") as? NSManagedObject)?.value(forKey: "title")
                    as? String
            }
            #expect(covered == ["a", nil])
        }
    }

    /// The child read the item before the other child linked it, and when it had a temporary identifier; and the list
    /// afterwards.
    @Test(arguments: BoxModel.storeTypes) func aLinkOfASiblingThatIsRemovedStaysRemoved(_ type: String) throws {
        for (toMany, toOne) in [("items", "owner"), ("list", "shelf")] {
            let family = try Family(type, isSaved: false)
            let sibling = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            sibling.parent = family.parent
            var objects: [NSManagedObject] = []
            try family.inChild { context throws in
                objects = try [context.stored("Box", "a"), context.stored("Item", 0)].compactMap { $0 }
                objects.first?.setValue(objects.last, forKey: "cover")
                #expect(objects.last?.value(forKey: toOne) == nil)
                try context.save()
            }
            try family.inParent { try $0.save() }
            try sibling.performAndWait {
                try sibling.stored("Box", "a")?.add(sibling.stored("Item", 0), to: toMany)
                try sibling.save()
            }
            try family.inChild { context throws in
                #expect(objects.first?.keys(toMany) == [0])
                objects.first?.remove(objects.last, from: toMany)
                context.refreshAllObjects()
                #expect(objects.first?.keys(toMany) == [])
                #expect(objects.last?.value(forKey: toOne) == nil)
                try context.save()
            }
            try family.expectEverywhere { context throws in
                #expect(try context.stored("Box", "a")?.keys(toMany) == [])
                #expect(try context.stored("Item", 0)?.value(forKey: toOne) == nil)
                #expect(try context.stored("Box", "a")?.value(forKey: "cover") != nil)
            }
        }
    }

    /// The list was read, changed and read again before the parent knew what another context had saved.
    @Test(arguments: BoxModel.storeTypes) func whatWasMovedAwayStaysAwayWhenTheListIsReadTwice(_ type: String) throws {
        for (toMany, toOne) in [("items", "owner"), ("list", "shelf")] {
            let family = try Family(type, isSaved: true)
            // They keep their lists while others save.
            var boxes: [NSManagedObject] = []
            for (context, isParent) in [(family.parent, true), (family.child, false)] {
                try context.performAndWait {
                    let box = try #require(try context.stored("Box", "a"))
                    #expect(box.keys(toMany) == [])
                    boxes.append(box)
                    if isParent { boxes += try ["b", "c"].compactMap { try context.stored("Box", $0) } }
                }
            }
            try family.stack.inContext { context throws in
                try context.stored("Box", "a")?.add(context.stored("Item", 0), to: toMany)
                try context.save()
            }
            try family.inChild { context throws in
                let box = try #require(try context.stored("Box", "a"))
                try context.stored("Box", "b")?.add(context.stored("Item", 0), to: toMany)
                context.refresh(box, mergeChanges: true)
                #expect(box.keys(toMany) == [])
            }
            try family.inParent { $0.refreshAllObjects() }
            try family.inChild { context throws in
                context.refreshAllObjects()
                #expect(try context.stored("Box", "a")?.keys(toMany) == [])
                let owner = try context.stored("Item", 0)?.value(forKey: toOne) as? NSManagedObject
                #expect(owner?.value(forKey: "title") as? String == "b")
                try context.save()
            }
            try family.expectEverywhere { context throws in
                #expect(try ["a", "b"].map { try context.stored("Box", $0)?.keys(toMany) } == [[], [0]])
            }
            withExtendedLifetime(boxes) {}
        }
    }

    /// The rules of a deletion are followed again where there is more to follow.
    @Test(arguments: ways) func aDeletionReachesMembersThatOnlyTheParentKnows(_ type: String, isSaved: Bool) throws {
        for rule in [NSDeleteRule.cascadeDeleteRule, .nullifyDeleteRule] {
            for toMany in ["items", "list", "tags", "ranked"] {
                let family = try Family(type, rule: rule, isSaved: isSaved)
                try family.inChild { context throws in #expect(try context.stored("Box", "a")?.keys(toMany) == []) }
                try family.inParent { try $0.stored("Box", "a")?.add($0.stored("Item", 1), to: toMany) }
                try family.inChild { context throws in
                    if let box = try context.stored("Box", "a") { context.delete(box) }
                    try context.save()
                }
                try family.expectEverywhere { context throws in
                    #expect(try context.stored("Box", "a") == nil)
                    #expect(try context.storedKeys() == (rule == .cascadeDeleteRule ? [0, 2] : [0, 1, 2]))
                    let item = try context.stored("Item", 1)
                    for name in ["owner", "shelf"] { #expect(item?.value(forKey: name) == nil) }
                    for name in ["tagged", "rankers"] {
                        #expect((item?.value(forKey: name) as? Set<NSManagedObject>)?.isEmpty != false)
                    }
                }
            }
        }
    }

    /// What a child gave to another owner isn't deleted with the former one.
    @Test(arguments: ways) func aMemberThatWasMovedSurvivesItsFormerOwner(_ type: String, isSaved: Bool) throws {
        for toMany in ["items", "list", "tags", "ranked"] {
            let family = try Family(type, rule: .cascadeDeleteRule, isSaved: isSaved)
            try family.inParent { context throws in
                for key in 0..<3 { try context.stored("Box", "a")?.add(context.stored("Item", key), to: toMany) }
            }
            try family.inChild { context throws in
                let (box, item) = (try context.stored("Box", "a"), try context.stored("Item", 1))
                box?.remove(item, from: toMany)
                try context.stored("Box", "b")?.add(item, to: toMany)
                context.processPendingChanges()
                if let box { context.delete(box) }
                try context.save()
            }
            try family.expectEverywhere { context throws in
                #expect(try context.storedKeys() == [1])
                #expect(try context.stored("Box", "b")?.keys(toMany) == [1])
            }
        }
    }

    /// A parent that rolled back, or was reset, has no more what a child knows of it by a temporary identity.
    @Test(arguments: BoxModel.storeTypes, [false, true])
    func linksToWhatTheParentGaveUpAreDropped(_ type: String, resets: Bool) throws {
        let family = try Family(type, isSaved: true)
        try family.inParent { _ = $0.box("new") }
        try family.inChild { context throws in
            let (box, item) = (try context.stored("Box", "new"), try context.stored("Item", 0))
            for name in ["items", "list", "tags", "ranked"] { box?.add(item, to: name) }
            item?.setValue(box, forKey: "covered")
            item?.setValue(box, forKey: "friend")
            item?.setValue(7, forKey: "key")
        }
        try family.inParent { context throws in
            if resets { context.reset() } else { context.rollback() }
        }
        try family.inChild { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try family.expectEverywhere { context throws in
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box")) == 3)
            let item = try context.stored("Item", 7)
            #expect(item != nil)
            for name in ["owner", "shelf", "covered", "friend"] { #expect(item?.value(forKey: name) == nil, "\(name)") }
            #expect((item?.value(forKey: "tagged") as? Set<NSManagedObject>)?.isEmpty == true)
        }
    }

    /// What the parent is about to delete gets no new links.
    @Test(arguments: ways) func linksToWhatTheParentDeletedAreDropped(_ type: String, isSaved: Bool) throws {
        let family = try Family(type, isSaved: isSaved)
        try family.inChild { context throws in #expect(try context.stored("Box", "a")?.keys("items") == []) }
        try family.inParent { context throws in
            if let box = try context.stored("Box", "a") { context.delete(box) }
            context.processPendingChanges()
        }
        try family.inChild { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let box = context.registeredObjects.first { $0.value(forKey: "title") as? String == "a" }
            let item = try context.stored("Item", 0)
            item?.setValue(box, forKey: "friend")
            try context.save()
            item?.setValue(box, forKey: "owner")
            try context.save()
        }
        try family.expectEverywhere { context throws in
            let item = try context.stored("Item", 0)
            for name in ["owner", "friend"] { #expect(item?.value(forKey: name) == nil, "\(name)") }
        }
    }

    /// What was linked elsewhere is known to one side of the parent's objects alone, as the other one was read before.
    @Test(arguments: BoxModel.storeTypes) func aFormerOwnerThatWasReadBeforeLosesItsMember(_ type: String) throws {
        for (toMany, toOne) in [("items", "owner"), ("list", "shelf"), ("cover", "covered")] {
            let family = try Family(type, isSaved: true)
            // Kept, so that they stay as they were read.
            var kept: [NSManagedObject] = []
            func keep(_ context: NSManagedObjectContext, _ entity: String, _ value: Any) throws -> NSManagedObject {
                let object = try #require(try context.stored(entity, value))
                for name in object.entity.relationshipsByName.keys { _ = object.value(forKey: name) }
                kept.append(object)
                return object
            }
            try family.inChild { context throws in
                _ = try (keep(context, "Box", "a"), keep(context, "Item", 0), keep(context, "Item", 1))
            }
            try family.inParent { context throws in
                _ = try (keep(context, "Box", "a"), keep(context, "Item", 0), keep(context, "Item", 1))
            }
            try family.stack.inContext { context throws in
                try context.stored("Item", 0)?.setValue(context.stored("Box", "a"), forKey: toOne)
                try context.save()
            }
            try family.inParent { context throws in
                // A one-to-one is set from the box below, the others from the item.
                guard let one = try context.stored(toMany == "cover" ? "Box" : "Item", toMany == "cover" ? "a" : 0)
                else { return }
                context.refresh(one, mergeChanges: false)
                _ = one.value(forKey: toMany == "cover" ? "cover" : toOne)
            }
            try family.inChild { context throws in
                if toMany == "cover" {
                    try context.stored("Box", "a")?.setValue(context.stored("Item", 1), forKey: "cover")
                } else {
                    try context.stored("Item", 0)?.setValue(context.stored("Box", "b"), forKey: toOne)
                }
                try context.save()
            }
            try family.inParent { $0.refreshAllObjects() }
            try family.expectEverywhere { context throws in
                if toMany == "cover" {
                    #expect(try context.stored("Item", 0)?.value(forKey: "covered") == nil)
                    #expect(try context.stored("Item", 1)?.value(forKey: "covered") != nil)
                } else {
                    #expect(try context.stored("Box", "a")?.keys(toMany) == [], "\(toMany)")
                    #expect(try context.stored("Box", "b")?.keys(toMany) == [0], "\(toMany)")
                }
            }
            #expect(kept.count == 6)
        }
    }

    /// Rolling back brings nothing back whose row others have deleted: neither the object, nor what a child changes of it.
    @Test(arguments: BoxModel.storeTypes) func whatOthersDeletedStaysDeletedAfterARollback(_ type: String) throws {
        let family = try Family(type, isSaved: true)
        var kept: [NSManagedObject?] = []
        try family.inChild { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let box = try context.stored("Box", "a")
            box?.setValue("changed", forKey: "title")
            kept.append(box)
        }
        try family.inParent { kept.append(try $0.stored("Box", "a")) }
        let other = family.stack.context()
        let log = NotificationLog(other, [.NSManagedObjectContextDidSave])
        try other.performAndWait {
            if let box = try other.stored("Box", "a") { other.delete(box) }
            try other.save()
        }
        let saved = try #require(log.entries.last?.notification)
        try family.inParent { context throws in
            context.mergeChanges(fromContextDidSave: saved)
            context.rollback()
            let id = try #require(kept.last??.objectID)
            #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
        }
        try family.inChild { try $0.save() }
        try family.expectEverywhere { context throws in
            let boxes = NSFetchRequest<NSManagedObject>(entityName: "Box")
            #expect(
                try context.fetch(boxes).compactMap { $0.value(forKey: "title") as? String }.sorted() == ["b", "c"])
        }
    }

    /// One side of a one-to-one is changed here while the other side is known as it was before others linked the two.
    @Test(arguments: BoxModel.storeTypes) func theFormerDestinationOfAOneToOneIsReadBeforeItWasLinked(_ type: String)
        throws
    {
        let family = try Family(type, isSaved: true)
        var kept: [NSManagedObject?] = []
        try family.inParent { context throws in
            kept.append(try context.stored("Item", 0))
            _ = kept.last??.value(forKey: "covered")
        }
        try family.stack.inContext { context throws in
            try context.stored("Box", "a")?.setValue(context.stored("Item", 0), forKey: "cover")
            try context.save()
        }
        try family.inChild { context throws in
            kept.append(try context.stored("Item", 0))
            try context.stored("Box", "a")?.setValue(context.stored("Item", 1), forKey: "cover")
        }
        try family.inParent { $0.refreshAllObjects() }
        try family.inChild { context throws in
            context.refreshAllObjects()
            #expect(try context.stored("Item", 0)?.value(forKey: "covered") == nil)
            try context.save()
        }
        try family.expectEverywhere { context throws in
            #expect(try context.stored("Item", 0)?.value(forKey: "covered") == nil)
            let cover = try context.stored("Box", "a")?.value(forKey: "cover") as? NSManagedObject
            #expect(cover?.value(forKey: "key") as? Int == 1)
        }
    }

    /// A member is added and deleted here that others linked before.
    @Test(arguments: BoxModel.storeTypes) func aDeletedMemberThatOthersLinkedIsNoMember(_ type: String) throws {
        for (toMany, toOne) in [("items", "owner"), ("list", "shelf")] {
            let family = try Family(type, isSaved: true)
            var kept: [NSManagedObject?] = []
            try family.inParent { context throws in
                kept.append(try context.stored("Box", "a"))
                #expect(kept.last??.keys(toMany) == [])
            }
            try family.stack.inContext { context throws in
                try context.stored("Item", 0)?.setValue(context.stored("Box", "a"), forKey: toOne)
                try context.save()
            }
            try family.inParent { context throws in
                let item = try #require(try context.stored("Item", 0))
                context.refresh(item, mergeChanges: false)
                try context.stored("Box", "a")?.add(item, to: toMany)
                context.delete(item)
                context.processPendingChanges()
                context.refreshAllObjects()
                #expect(try context.stored("Box", "a")?.keys(toMany) == [], "\(toMany)")
            }
            try family.expectEverywhere { context throws in
                #expect(try context.stored("Box", "a")?.keys(toMany) == [], "\(toMany)")
                #expect(try context.storedKeys() == [1, 2])
            }
        }
    }

    /// What a child merged as deleted is there again once its parent has taken the deletion back.
    @Test(arguments: BoxModel.storeTypes, [false, true])
    func aDeletionThatTheParentTookBackIsTakenBackInTheChild(_ type: String, resets: Bool) throws {
        let family = try Family(type, isSaved: true)
        let sibling = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        sibling.parent = family.parent
        var kept: [NSManagedObject?] = []
        try family.inChild { kept.append(try $0.stored("Item", 0)) }
        let log = NotificationLog(sibling, [.NSManagedObjectContextDidSave])
        try sibling.performAndWait {
            if let item = try sibling.stored("Item", 0) { sibling.delete(item) }
            try sibling.save()
        }
        let saved = try #require(log.entries.last?.notification)
        family.child.performAndWait {
            family.child.mergeChanges(fromContextDidSave: saved)
            family.child.refreshAllObjects()
            #expect(kept.last??.isDeleted == true)
        }
        try family.inParent { context throws in
            if resets { context.reset() } else { context.rollback() }
            let (box, item) = (try context.stored("Box", "a"), try context.stored("Item", 0))
            box?.add(item, to: "ranked")
            kept += [box, item]
        }
        try family.inChild { context throws in
            context.refreshAllObjects()
            #expect(try context.stored("Box", "a")?.keys("ranked") == [0])
            #expect(kept.first??.isDeleted == false && kept.first??.value(forKey: "key") as? Int == 0)
            #expect(context.deletedObjects.isEmpty)
        }
        try family.expectEverywhere { context throws in #expect(try context.storedKeys() == [0, 1, 2]) }
    }

    /// Others have deleted what is to be deleted here, too; that is rolled back.
    @Test(arguments: BoxModel.storeTypes) func aDeletionThatOthersSavedIsNotRolledBack(_ type: String) throws {
        let family = try Family(type, isSaved: true)
        let other = family.stack.context()
        let log = NotificationLog(other, [.NSManagedObjectContextDidSave])
        var kept: [NSManagedObject?] = []
        try family.inParent { context throws in
            let item = try context.stored("Item", 0)
            try context.stored("Box", "a")?.add(item, to: "items")
            kept.append(item)
            if let item { context.delete(item) }
            context.processPendingChanges()
        }
        try other.performAndWait {
            if let item = try other.stored("Item", 0) { other.delete(item) }
            try other.save()
        }
        let saved = try #require(log.entries.last?.notification)
        try family.inParent { context throws in
            context.mergeChanges(fromContextDidSave: saved)
            context.rollback()
            let id = try #require(kept.last??.objectID)
            #expect(throws: CocoaError.self) { try context.existingObject(with: id) }
        }
        try family.expectEverywhere { context throws in
            #expect(try context.storedKeys() == [1, 2])
            #expect(try context.stored("Box", "a")?.keys("items") == [])
        }
    }

    /// A one-to-one is set on one side while the other side leads back already, by a change that the parent takes back.
    @Test(arguments: BoxModel.storeTypes) func aOneToOneThatTheParentHadStaysWhenItRollsBack(_ type: String) throws {
        let family = try Family(type, isSaved: true)
        var kept: [NSManagedObject?] = []
        try family.inChild { context throws in
            kept.append(try context.stored("Box", "a"))
            #expect(kept.last??.value(forKey: "cover") == nil)
        }
        try family.inParent { context throws in
            try context.stored("Item", 0)?.setValue(context.stored("Box", "a"), forKey: "covered")
        }
        try family.inChild { try $0.stored("Box", "a")?.setValue($0.stored("Item", 0), forKey: "cover") }
        try family.inParent { $0.rollback() }
        try family.inChild { context throws in
            context.refreshAllObjects()
            let item = try context.stored("Item", 0)
            let box = item?.value(forKey: "covered") as? NSManagedObject
            #expect(box != nil && box === kept.first ?? nil)
            try context.save()
        }
        try family.expectEverywhere { context throws in
            let (box, item) = (try context.stored("Box", "a"), try context.stored("Item", 0))
            #expect(item != nil && box?.value(forKey: "cover") as? NSManagedObject === item)
            #expect(item?.value(forKey: "covered") as? NSManagedObject === box)
        }
    }

    /// A member is taken out, or put in, by a child that has read the member before the parent linked it.
    @Test(arguments: ways) func aMemberThatWasReadBeforeTheParentLinkedIt(_ type: String, isSaved: Bool) throws {
        for (toMany, toOne) in [("items", "owner"), ("list", "shelf")] {
            let family = try Family(type, isSaved: isSaved)
            var kept: [NSManagedObject?] = []
            try family.inChild { context throws in
                kept = [try context.stored("Item", 0), try context.stored("Item", 1)]
                for item in kept { #expect(item?.value(forKey: toOne) == nil) }
            }
            try family.inParent { context throws in
                try context.stored("Item", 0)?.setValue(context.stored("Box", "a"), forKey: toOne)
                try context.stored("Item", 1)?.setValue(context.stored("Box", "b"), forKey: toOne)
            }
            try family.inChild { context throws in
                let box = try #require(try context.stored("Box", "a"))
                let other = try #require(kept[1])
                #expect(box.keys(toMany) == [0])
                box.setValue(
                    toMany == "list" ? NSOrderedSet(object: other) : NSSet(object: other) as Any, forKey: toMany)
                try context.save()
            }
            try family.expectEverywhere { context throws in
                #expect(try context.stored("Item", 0)?.value(forKey: toOne) == nil, "\(toMany)")
                let owner = try context.stored("Item", 1)?.value(forKey: toOne) as? NSManagedObject
                #expect(owner?.value(forKey: "title") as? String == "a", "\(toMany)")
                let members = try ["a", "b"].map { try context.stored("Box", $0)?.keys(toMany) }
                #expect(members == [[1], []], "\(toMany)")
            }
        }
    }

    /// A to-one of a child is set to what it is, while the row that the child has names the destination by the number from
    /// before it was saved.
    @Test(arguments: BoxModel.storeTypes) func aToOneThatIsSetToWhatItWasIsNoChange(_ type: String) throws {
        let family = try Family(type, isSaved: false)
        var kept: [NSManagedObject?] = []
        try family.inChild { context throws in
            kept = [try context.stored("Box", "a"), try context.stored("Item", 0), try context.stored("Item", 1)]
            kept[0]?.setValue(kept[1], forKey: "cover")
            try context.save()
        }
        try family.inParent { context throws in
            try context.stored("Box", "a")?.setValue(context.stored("Item", 1), forKey: "cover")
            try context.save()
        }
        try family.inChild { context throws in
            kept[0]?.setValue(kept[1], forKey: "cover")
            context.refreshAllObjects()
            #expect(kept[0]?.value(forKey: "cover") as? NSManagedObject === kept[2])
            #expect(kept[1]?.value(forKey: "covered") == nil)
            #expect(kept[2]?.value(forKey: "covered") as? NSManagedObject === kept[0])
        }
    }

    /// A child links an object that its parent deletes. Until the child has read that it is gone, the link stays; the save
    /// drops it.
    @Test(arguments: ways) func aLinkToWhatTheParentDeletedIsDroppedByTheNextSave(_ type: String, isSaved: Bool) throws
    {
        for toMany in BoxModel.toManys {
            let family = try Family(type, isSaved: isSaved)
            var kept: [NSManagedObject?] = []
            try family.inChild { context throws in
                kept = [try context.stored("Box", "a"), try context.stored("Item", 0)]
                kept[0]?.add(kept[1], to: toMany)
            }
            try family.inParent { context throws in
                if let item = try context.stored("Item", 0) { context.delete(item) }
                context.processPendingChanges()
            }
            try family.inChild { context throws in
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                context.refreshAllObjects()
                try context.save()
            }
            try family.expectEverywhere { context throws in
                #expect(try context.stored("Box", "a")?.keys(toMany) == [], "\(toMany)")
                #expect(try context.storedKeys() == [1, 2], "\(toMany)")
            }
        }
    }
}
