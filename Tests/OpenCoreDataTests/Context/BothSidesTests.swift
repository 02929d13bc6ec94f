import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What others link between a read and a change: both sides of a relationship agree, in the context that merges and in the
/// store.
@Suite(.serialized) struct BothSidesTests {
    /// The boxes a, b and c, and the items 0 to 4.
    private func stack(
        _ type: String, links: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws -> TestStack {
        let stack = try TestStack(model: BoxModel.make(), type: type)
        try stack.inContext { context throws in
            for title in ["a", "b", "c"] { _ = context.box(title) }
            for key in 0..<5 { _ = context.item(key) }
            try links(context)
            try context.save()
        }
        return stack
    }

    /// Lets another context change something and save it.
    ///
    /// - Returns: What the others are to merge.
    @discardableResult
    private func elsewhere(
        _ stack: TestStack, _ change: (NSManagedObjectContext) throws -> Void
    ) throws -> Notification {
        let other = stack.context()
        let log = NotificationLog(other)
        try other.performAndWait {
            try change(other)
            try other.save()
        }
        return try #require(log.entries(.NSManagedObjectContextDidSave).first).notification
    }

    /// The links whose other side says something else.
    private func contradictions(in context: NSManagedObjectContext) throws -> [String] {
        func destinations(_ object: NSManagedObject, _ name: String) -> [NSManagedObject] {
            switch object.value(forKey: name) {
            case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
            case let set as Set<NSManagedObject>: Array(set)
            case let destination as NSManagedObject: [destination]
            default: []
            }
        }
        return try ["Box", "Item"].flatMap { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0)) }
            .flatMap { object in
                object.entity.relationshipsByName.flatMap { name, relationship -> [String] in
                    guard let inverse = relationship.inverseRelationship?.name else { return [] }
                    return destinations(object, name).filter { !destinations($0, inverse).contains(object) }
                        .map { "\(object).\(name) -> \($0)" }
                }
            }
    }

    private func expectAgreement(
        _ stack: TestStack, _ context: NSManagedObjectContext, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try contradictions(in: context) == [], sourceLocation: sourceLocation)
        try context.save()
        #expect(try contradictions(in: context) == [], sourceLocation: sourceLocation)
        try stack.inContext { context throws in
            #expect(try contradictions(in: context) == [], sourceLocation: sourceLocation)
        }
        if stack.isFile, stack.coordinator.persistentStores.first?.type == NSSQLiteStoreType {
            #expect(
                try StoreChecker.findings(inStoreAt: stack.url, model: BoxModel.make()).isEmpty,
                sourceLocation: sourceLocation)
        }
    }

    // MARK: One-to-one

    @Test(arguments: BoxModel.storeTypes, [false, true])
    func aFormerOwnerThatWasReadBeforeOthersLinkedItLetsGo(type: String, setsOwner: Bool) throws {
        let stack = try stack(type)
        let mine = stack.context()
        try mine.performAndWait {
            let boxes = try ["a", "b"].map { try #require(try mine.stored("Box", $0)) }
            #expect(boxes.allSatisfy { $0.value(forKey: "cover") == nil })
            try elsewhere(stack) { other in
                try other.stored("Item", 0)?.setValue(try other.stored("Box", "a"), forKey: "covered")
            }
            let item = try #require(try mine.stored("Item", 0))
            #expect(item.value(forKey: "covered") as? NSManagedObject === boxes[0])
            if setsOwner {
                boxes[1].setValue(item, forKey: "cover")
            } else {
                item.setValue(boxes[1], forKey: "covered")
            }
            #expect(boxes[0].value(forKey: "cover") == nil)
            try expectAgreement(stack, mine)
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "a")?.value(forKey: "cover") == nil)
            let cover = try context.stored("Box", "b")?.value(forKey: "cover") as? NSManagedObject
            #expect(cover?.value(forKey: "key") as? Int == 0)
        }
    }

    @Test(arguments: BoxModel.storeTypes, [false, true])
    func aFormerItemThatWasReadBeforeOthersLinkedItLetsGo(type: String, setsOwner: Bool) throws {
        let stack = try stack(type)
        let mine = stack.context()
        try mine.performAndWait {
            let items = try [0, 1].map { try #require(try mine.stored("Item", $0)) }
            #expect(items.allSatisfy { $0.value(forKey: "covered") == nil })
            try elsewhere(stack) { other in
                try other.stored("Item", 0)?.setValue(try other.stored("Box", "a"), forKey: "covered")
            }
            let box = try #require(try mine.stored("Box", "a"))
            if setsOwner { box.setValue(items[1], forKey: "cover") } else { items[1].setValue(box, forKey: "covered") }
            #expect(items[0].value(forKey: "covered") == nil)
            try expectAgreement(stack, mine)
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Item", 0)?.value(forKey: "covered") == nil)
        }
    }

    @Test(arguments: BoxModel.storeTypes, [false, true])
    func refreshingOneSideLeavesALinkWhereItWasMovedHere(type: String, refreshesAll: Bool) throws {
        let stack = try stack(type)
        let mine = stack.context()
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try mine.performAndWait {
            let (a, b) = (try #require(try mine.stored("Box", "a")), try #require(try mine.stored("Box", "b")))
            let item = try #require(try mine.stored("Item", 0))
            #expect(a.value(forKey: "cover") == nil)
            b.setValue(item, forKey: "cover")
            try elsewhere(stack) { other in
                try other.stored("Box", "a")?.setValue(try other.stored("Item", 0), forKey: "cover")
            }
            if refreshesAll { mine.refreshAllObjects() } else { mine.refresh(a, mergeChanges: false) }
            a.setValue("changed", forKey: "title")
            mine.refresh(a, mergeChanges: true)
            #expect(a.value(forKey: "cover") == nil)
            #expect(b.value(forKey: "cover") as? NSManagedObject === item)
            #expect(item.value(forKey: "covered") as? NSManagedObject === b)
            try expectAgreement(stack, mine)
        }
    }

    // MARK: To-many

    /// The member's row is older than the to-many that it was found in.
    @Test(arguments: BoxModel.storeTypes, ["items", "list"])
    func aMemberThatWasReadBeforeOthersAddedItCanBeRemoved(type: String, relationship: String) throws {
        let stack = try stack(type)
        let inverse = relationship == "items" ? "owner" : "shelf"
        let mine = stack.context()
        try mine.performAndWait {
            let item = try #require(try mine.stored("Item", 0))
            #expect(item.value(forKey: inverse) == nil)
            try elsewhere(stack) { other in
                try other.stored("Box", "a")?.add(try other.stored("Item", 0), to: relationship)
            }
            let box = try #require(try mine.stored("Box", "a"))
            #expect(box.keys(relationship) == [0])
            box.remove(item, from: relationship)
            #expect(box.keys(relationship) == [])
            #expect(item.value(forKey: inverse) == nil)
            try expectAgreement(stack, mine)
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "a")?.keys(relationship) == [])
            #expect(try context.storedKeys("\(inverse) != nil") == [])
        }
    }

    /// A link that was removed and made again is no change: what others made of it counts, on both sides.
    @Test(arguments: BoxModel.storeTypes, ["items", "list", "tags", "ranked"])
    func aLinkThatWasMadeAgainIsWhatOthersMadeOfIt(type: String, relationship: String) throws {
        let stack = try stack(type) { context in
            try context.stored("Box", "a")?.add(try context.stored("Item", 0), to: relationship)
        }
        let mine = stack.context()
        let item = try mine.performAndWait {
            let (a, b) = (try #require(try mine.stored("Box", "a")), try #require(try mine.stored("Box", "b")))
            let item = try #require(try mine.stored("Item", 0))
            switch relationship {
            case "items", "list":
                let key = relationship == "items" ? "owner" : "shelf"
                item.setValue(b, forKey: key)
                item.setValue(a, forKey: key)
            default:
                #expect(a.keys(relationship) == [0])
                a.remove(item, from: relationship)
                a.add(item, to: relationship)
            }
            return item
        }
        let saved = try elsewhere(stack) { other in
            try other.stored("Box", "a")?.remove(try other.stored("Item", 0), from: relationship)
            try other.stored("Box", "c")?.add(try other.stored("Item", 0), to: relationship)
        }
        try mine.performAndWait {
            mine.mergeChanges(fromContextDidSave: saved)
            #expect(try ["a", "b", "c"].map { try mine.stored("Box", $0)?.keys(relationship) } == [[], [], [0]])
            try expectAgreement(stack, mine)
            #expect(try mine.stored("Item", 0) === item)
        }
        try stack.inContext { context throws in
            #expect(try ["a", "b", "c"].map { try context.stored("Box", $0)?.keys(relationship) } == [[], [], [0]])
        }
    }

    // MARK: Without inverse

    /// The notification names the box alone that has the member by now.
    @Test(arguments: BoxModel.storeTypes, [false, true])
    func aMemberThatOthersGaveToAnotherOwnerLeavesTheFormerOne(type: String, isRemote: Bool) throws {
        let stack = try stack(type) { context in
            let box = try #require(try context.stored("Box", "a"))
            for key in 0..<3 { box.add(try context.stored("Item", key), to: "loose") }
        }
        let mine = stack.context()
        let box = try mine.performAndWait {
            let box = try #require(try mine.stored("Box", "a"))
            #expect(box.keys("loose") == [0, 1, 2])
            box.add(try mine.stored("Item", 4), to: "loose")
            mine.processPendingChanges()
            return box
        }
        let saved = try elsewhere(stack) { other in
            try other.stored("Box", "b")?.add(try other.stored("Item", 0), to: "loose")
        }
        let log = NotificationLog(mine)
        try mine.performAndWait {
            if isRemote {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: saved.userInfo ?? [:], into: [mine])
            } else {
                mine.mergeChanges(fromContextDidSave: saved)
            }
            let change = try #require(log.entries(.NSManagedObjectContextObjectsDidChange).last)
            #expect(change.objects(NSRefreshedObjectsKey).contains(box))
            #expect(box.keys("loose") == [1, 2, 4])
            #expect(try mine.stored("Box", "b")?.keys("loose") == [0])
            try mine.save()
        }
        try stack.inContext { context throws in
            #expect(try context.stored("Box", "a")?.keys("loose") == [1, 2, 4])
            #expect(try context.stored("Box", "b")?.keys("loose") == [0])
        }
    }
}
