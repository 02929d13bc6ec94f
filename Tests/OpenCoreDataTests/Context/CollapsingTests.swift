import Foundation
import OpenCoreData
import TestSupport
import Testing

/// New objects whose unique values a row has already. Numbers are section.fact.
@Suite(.serialized) struct CollapsingTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// A store with the region "eu" and one object at the end of each of its relationships.
    private func stored(_ type: String = NSSQLiteStoreType, entity: String = "Region") throws -> (
        TestStack, NSManagedObjectID
    ) {
        let stack = try TestStack(model: RegionModel.make(), type: type)
        let id = try stack.inContext { context in
            let region = context.make(entity, ["code": "eu", "name": "stored", "size": 1])
            context.make("Mood", ["name": "old", "region": region])
            context.make("Route", ["name": "old", "region": region])
            context.make("World", ["name": "old"]).setValue(NSSet(object: region), forKey: "regions")
            context.make("Topic", ["name": "old"]).setValue(NSSet(object: region), forKey: "regions")
            try context.save()
            return region.objectID
        }
        return (stack, id)
    }

    /// Inserts another "eu", with size but without name, and new objects around it.
    private func insertTwin(_ context: NSManagedObjectContext, _ entity: String = "Region") -> NSManagedObject {
        let region = context.make(entity, ["code": "eu", "size": 2])
        for name in ["new 1", "new 2"] {
            context.make("Mood", ["name": name, "region": region])
            context.make("Route", ["name": name, "region": region])
        }
        context.make("World", ["name": "new"]).setValue(NSSet(object: region), forKey: "regions")
        context.make("Topic", ["name": "new"]).setValue(NSSet(object: region), forKey: "regions")
        return region
    }

    private func check(_ region: NSManagedObject, world: String) {
        #expect(region.names("moods") == ["new 1", "new 2", "old"])
        #expect(region.names("routes") == ["old", "new 1", "new 2"])
        #expect(region.names("topics") == ["new", "old"])
        #expect(region.names("world") == [world])
    }

    // Behaviour 5.8
    @Test(arguments: storeTypes, [1, 2, 3] as [UInt])
    func theNewObjectBecomesTheStoredOne(type: String, policy: UInt) throws {
        let (stack, id) = try stored(type)
        let merge = try #require(NSMergePolicyType(rawValue: policy))
        let world = merge == .mergeByPropertyStoreTrumpMergePolicyType ? "old" : "new"
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy(merge: merge)
            let region = insertTwin(context)
            let moods = try #require(region.value(forKey: "moods") as? Set<NSManagedObject>)
            let log = NotificationLog(context)
            try context.save()
            #expect(region.objectID == id && region.managedObjectContext === context && !context.hasChanges)
            #expect(context.object(with: id) === region && !region.isInserted && !region.isDeleted)
            #expect(moods.allSatisfy { $0.value(forKey: "region") as? NSManagedObject === region })
            #expect(log.entries(.NSManagedObjectContextDidSave).last?.objects(NSUpdatedObjectsKey) == [region])
            check(region, world: world)
            region.setValue("later", forKey: "name")
            try context.save()
        }
        try stack.inContext { context in
            let regions = try context.all("Region")
            let region = try #require(regions.first)
            #expect(regions.count == 1 && region.objectID == id)
            #expect(region.value(forKey: "name") as? String == "later")
            let size = merge == .mergeByPropertyStoreTrumpMergePolicyType ? 1 : 2
            #expect(region.value(forKey: "size") as? Int == size)
            check(region, world: world)
        }
        if type == NSSQLiteStoreType {
            #expect(try stack.sqlite("SELECT Z_PK, ZCODE FROM ZREGION") == "1|eu")
        }
    }

    // Behaviour 5.8
    @Test(arguments: storeTypes) func valuesThatTheNewObjectLacksAreTheRows(type: String) throws {
        let (stack, _) = try stored(type)
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let region = context.make("Region", ["code": "eu"])
            try context.save()
            #expect(region.value(forKey: "name") as? String == "stored" && region.value(forKey: "size") as? Int == 1)
            #expect(region.names("world") == ["old"] && region.names("moods") == ["old"])
        }
    }

    /// The row's object is in use, so it stays and the new one goes.
    @Test(arguments: storeTypes, [1, 2] as [UInt])
    func anObjectThatTheContextHasForTheRowStays(type: String, policy: UInt) throws {
        let (stack, id) = try stored(type)
        let merge = try #require(NSMergePolicyType(rawValue: policy))
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy(merge: merge)
            let held = try context.existingObject(with: id)
            let region = insertTwin(context)
            let moods = try #require(region.value(forKey: "moods") as? Set<NSManagedObject>)
            try context.save()
            #expect(context.object(with: id) === held && region.managedObjectContext == nil && !context.hasChanges)
            #expect(moods.allSatisfy { $0.value(forKey: "region") as? NSManagedObject === held })
            check(held, world: merge == .mergeByPropertyStoreTrumpMergePolicyType ? "old" : "new")
        }
        let left = try stack.inContext { try $0.all("Region").map(\.objectID) }
        #expect(left == [id])
    }

    @Test(arguments: storeTypes) func severalNewObjectsBecomeOne(type: String) throws {
        let (stack, id) = try stored(type)
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let first = context.make("Region", ["code": "eu"])
            let second = context.make("Region", ["code": "eu"])
            context.make("Mood", ["name": "second's", "region": second])
            try context.save()
            let successor = try #require([first, second].first { $0.managedObjectContext != nil })
            #expect(successor.objectID == id && [first, second].count { $0.managedObjectContext == nil } == 1)
            #expect(successor.names("moods") == ["old", "second's"])
        }
        let moods = try stack.inContext { try $0.all("Region").map { $0.names("moods") } }
        #expect(moods == [["old", "second's"]])
    }

    @Test func aRowOfAnotherEntityKeepsItsObject() throws {
        let (stack, id) = try stored(entity: "Province")
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let region = insertTwin(context)
            try context.save()
            #expect(region.managedObjectContext == nil)
        }
        try stack.inContext { context in
            let provinces = try context.all("Region")
            #expect(provinces.map(\.objectID) == [id] && provinces.first?.entity.name == "Province")
            if let province = provinces.first { check(province, world: "new") }
        }
    }

    /// Does what is common in applications: settles by the rule and then writes to the database object.
    private final class StampingPolicy: NSMergePolicy, @unchecked Sendable {
        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            try super.resolve(constraintConflicts: list)
            for conflict in list {
                guard let stored = conflict.databaseObject, let context = stored.managedObjectContext else { continue }
                stored.setValue("stamped", forKey: "name")
                context.make("Mood", ["name": "policy's", "region": stored])
            }
        }
    }

    // Behaviour 5.7, 5.8
    @Test(arguments: storeTypes) func whatAPolicyWritesToTheDatabaseObjectIsSaved(type: String) throws {
        let (stack, id) = try stored(type)
        try stack.inContext { context in
            context.mergePolicy = StampingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            let region = context.make("Region", ["code": "eu"])
            try context.save()
            #expect(region.objectID == id && region.names("moods") == ["old", "policy's"])
            #expect(region.value(forKey: "name") as? String == "stamped")
        }
        try stack.inContext { context in
            let region = try #require(try context.all("Region").first)
            #expect(region.value(forKey: "name") as? String == "stamped")
            #expect(region.names("moods") == ["old", "policy's"])
        }
    }

    @Test func aChildLearnsTheIdentifierToo() throws {
        let (stack, id) = try stored()
        let parent = stack.context()
        parent.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let region = child.make("Region", ["code": "eu"])
            try child.save()
            try parent.performAndWait { try parent.save() }
            region.setValue("child's", forKey: "name")
            try child.save()
            #expect(child.object(with: id).value(forKey: "name") as? String == "child's")
            try parent.performAndWait { try parent.save() }
        }
        let names = try stack.inContext { try $0.all("Region").map { $0.value(forKey: "name") as? String } }
        #expect(names == ["child's"])
    }

    @Test func undoingDoesNotDeleteTheRowThatWasThere() throws {
        let (stack, id) = try stored()
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.undoManager = UndoManager()
            let region = context.make("Region", ["code": "eu"])
            try context.save()
            let canUndo = try #require(context.undoManager).canUndo
            #expect(!canUndo)
            context.undo()
            try context.save()
            #expect(region.objectID == id && !region.isDeleted)
        }
        #expect(try stack.sqlite("SELECT count(*) FROM ZREGION") == "1")
    }

    // MARK: Which values must differ

    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as? CocoaError)?.code.rawValue }
        return nil
    }

    // Behaviour 4.11
    @Test(arguments: storeTypes) func subentitiesInheritConstraints(type: String) throws {
        let (stack, _) = try stored(type)
        stack.inContext { context in
            context.make("Province", ["code": "eu"])
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            #expect(conflicts?.first?.constraint == ["code"])
            #expect(conflicts?.first?.databaseSnapshot?["name"] as? String == "stored")
            context.rollback()
            context.make("Province", ["code": "us"])
            context.make("Region", ["code": "us"])
            #expect(code(context.save) == NSManagedObjectConstraintMergeError)
        }
    }

    @Test(arguments: storeTypes) func aConstraintMayCombineAnAttributeAndAToOne(type: String) throws {
        let (stack, id) = try stored(type)
        try stack.inContext { context in
            let region = try context.existingObject(with: id)
            context.make("Mood", ["name": "old"])
            context.make("Mood", ["name": "old", "region": context.make("Region", ["code": "us"])])
            context.make("Mood", ["region": region])
            context.make("Mood", ["region": region])
            try context.save()
            let twin = context.make("Mood", ["name": "old", "region": region])
            let error = #expect(throws: CocoaError.self) { try context.save() }
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            #expect(
                conflicts?.first?.constraint == ["name", "region"] && conflicts?.first?.conflictingObjects == [twin])
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(region.names("moods") == ["", "", "old"])
        }
    }

    @Test(arguments: storeTypes) func newObjectsThatClashWithOneAnotherBecomeOne(type: String) throws {
        let stack = try TestStack(model: RegionModel.make(), type: type)
        try stack.inContext { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let regions = (0..<3).map { context.make("Region", ["code": "eu", "size": $0]) }
            for (index, region) in regions.enumerated() {
                context.make("Mood", ["name": "\(index)", "region": region])
            }
            try context.save()
            let left = try #require(regions.first { $0.managedObjectContext != nil })
            #expect(regions.count { $0.managedObjectContext != nil } == 1 && left.names("moods") == ["0", "1", "2"])
        }
        let moods = try stack.inContext { try $0.all("Region").map { $0.names("moods") } }
        #expect(moods == [["0", "1", "2"]])
    }
}
