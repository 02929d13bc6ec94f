import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Large values whose files are gone: what is read is never nothing in silence, and never written.
@Suite struct MissingValueTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Items.sqlite")
    }

    /// A store with one item whose file was taken away.
    private func damaged() throws -> ItemStore {
        let store = try ItemStore(url)
        try store.add(1)
        for file in store.files { try FileManager.default.removeItem(at: store.file(file)) }
        return store
    }

    private func column() throws -> String { try SQLiteShell.run("SELECT length(ZBYTES), ZTITLE FROM ZITEM", on: url) }

    private func expectMissing(_ item: NSManagedObject, _ body: () throws -> Void) {
        let error = #expect(throws: CocoaError.self) { try body() }
        #expect(error?.code == .fileReadNoSuchFile)
        #expect(error?.localizedDescription.contains(item.objectID.uriRepresentation().absoluteString) == true)
        #expect((error?.userInfo[NSFilePathErrorKey] as? String)?.contains("_EXTERNAL_DATA") == true)
    }

    // MARK: The row was changed

    /// A writer replaces the value, and the file that a reader knows of goes.
    private func stale(_ policy: NSMergePolicy, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws
    {
        let (writer, reader) = (try ItemStore(url), try ItemStore(url))
        try writer.add(1)
        let context = reader.context(policy)
        try context.performAndWait {
            let item = try ItemStore.item(context)
            #expect(item.value(forKey: "title") as? String == "1")
            try writer.replace(with: 2)
            #expect(try writer.store?.removeUnusedFiles() == true)
            #expect(writer.files.count == 1)
            try body(context, item)
        }
        #expect(try writer.bytes() == [2])
    }

    @Test func aValueThatWasReplacedIsTheNewestOne() throws {
        try stale(.error) { context, item in
            #expect(item.value(forKey: "bytes") as? Data == ItemStore.value(2))
            item.setValue("mine", forKey: "title")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectMerge)
        }
        #expect(try column() == "38|1")
    }

    @Test(arguments: [true, false]) func overwritingDoesNotPutNothingInThePlaceOfAValue(reads: Bool) throws {
        try stale(.overwrite) { context, item in
            if reads { _ = item.value(forKey: "bytes") }
            item.setValue("mine", forKey: "title")
            try context.save()
            #expect(item.value(forKey: "bytes") as? Data == ItemStore.value(2))
        }
        #expect(try column() == "38|mine")
    }

    @Test func everyPolicyLeavesAValue() throws {
        let policies: [(NSMergePolicy, String)] = [
            (.mergeByPropertyObjectTrump, "mine"), (.mergeByPropertyStoreTrump, "mine"), (.rollback, "1"),
        ]
        for (policy, title) in policies {
            try stale(policy) { context, item in
                item.setValue("mine", forKey: "title")
                try context.save()
            }
            #expect(try column() == "38|\(title)")
            try FileManager.default.removeItem(at: url)
            for file in StoreFile.companions(of: url) { try? FileManager.default.removeItem(at: file) }
        }
    }

    @Test func aDeletedRowIsNotWrittenAnewWithoutItsValue() throws {
        let (writer, reader) = (try ItemStore(url), try ItemStore(url))
        try writer.add(1)
        let context = reader.context(.overwrite)
        try context.performAndWait {
            let item = try ItemStore.item(context)
            #expect(item.value(forKey: "title") as? String == "1")
            try writer.deleteAll()
            #expect(try writer.store?.removeUnusedFiles() == true)
            item.setValue("mine", forKey: "title")
            for _ in 0..<2 { expectMissing(item) { try context.save() } }
            context.delete(item)
            try context.save()
        }
        #expect(try writer.bytes().isEmpty)
    }

    // MARK: The file alone is missing

    @Test func theNextFetchAndEverySaveSaySo() throws {
        let store = try damaged()
        try store.inContext { context in
            let item = try ItemStore.item(context)
            #expect(item.value(forKey: "bytes") == nil)
            expectMissing(item) { _ = try ItemStore.items(context) }
            #expect(try ItemStore.items(context) == [item])
            item.setValue("mine", forKey: "title")
            for _ in 0..<3 { expectMissing(item) { try context.save() } }
            #expect(try column() == "38|1")
            item.setValue(ItemStore.value(3), forKey: "bytes")
            try context.save()
        }
        #expect(try store.bytes() == [3])
    }

    @Test func aRefreshedOrDeletedObjectIsInNobodysWay() throws {
        let store = try damaged()
        try store.inContext { context in
            let item = try ItemStore.item(context)
            #expect(item.value(forKey: "bytes") == nil)
            context.refresh(item, mergeChanges: false)
            try context.save()
            #expect(item.value(forKey: "bytes") == nil)
            context.delete(item)
            try context.save()
        }
        #expect(try store.bytes().isEmpty)
    }

    @Test func aValueThatWasNotAskedForStaysWhereItIs() throws {
        let store = try damaged()
        try store.inContext { context in
            let item = try ItemStore.item(context)
            item.setValue("mine", forKey: "title")
            try context.save()
            #expect(item.value(forKey: "bytes") == nil)
            expectMissing(item) { try context.save() }
        }
        #expect(try column() == "38|mine")
    }

    @Test func settingNothingInThePlaceOfAMissingValueIsAChange() throws {
        let store = try damaged()
        try store.inContext { context in
            let item = try ItemStore.item(context)
            item.setValue(nil, forKey: "bytes")
            #expect(item.hasPersistentChangedValues)
            try context.save()
        }
        #expect(try column() == "|1")
    }

    @Test func undoingAChangeDoesNotWriteNothing() throws {
        let store = try damaged()
        try store.inContext { context in
            context.undoManager = UndoManager()
            let item = try ItemStore.item(context)
            item.setValue(ItemStore.value(3), forKey: "bytes")
            item.setValue("mine", forKey: "title")
            context.processPendingChanges()
            context.undo()
            try context.save()
        }
        #expect(try store.bytes() == [3])
    }

    @Test func aDeletionThatIsUndoneDoesNotWriteNothing() throws {
        let store = try damaged()
        try store.inContext { context in
            context.undoManager = UndoManager()
            let item = try ItemStore.item(context)
            context.delete(item)
            context.processPendingChanges()
            try context.save()
            context.undo()
            for _ in 0..<2 {
                let error = #expect(throws: CocoaError.self) { try context.save() }
                #expect(error?.localizedDescription.contains("bytes of Item") == true)
            }
            item.setValue(ItemStore.value(3), forKey: "bytes")
            try context.save()
        }
        #expect(try store.bytes() == [3])
    }

    @Test func aChildContextAndItsParentSaySo() throws {
        let store = try damaged()
        let parent = store.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let item = try ItemStore.item(child)
            #expect(item.value(forKey: "bytes") == nil)
            item.setValue("mine", forKey: "title")
            for _ in 0..<2 { expectMissing(item) { try child.save() } }
        }
        try parent.performAndWait {
            let item = try #require(parent.registeredObjects.first)
            expectMissing(item) { try parent.save() }
        }
        #expect(try column() == "38|1")
        try child.performAndWait {
            expectMissing(try #require(child.registeredObjects.first)) { _ = try ItemStore.items(child) }
            child.registeredObjects.first?.setValue(ItemStore.value(3), forKey: "bytes")
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        #expect(try store.bytes() == [3])
    }

    @Test func aCommittedValueThatIsMissingIsToldToo() throws {
        let store = try damaged()
        try store.inContext { context in
            let item = try ItemStore.item(context)
            #expect(item.committedValues(forKeys: ["bytes"])["bytes"] is NSNull)
            item.setValue("mine", forKey: "title")
            expectMissing(item) { try context.save() }
        }
    }

    // MARK: Copies

    @Test(arguments: [NSSQLiteStoreType, NSBinaryStoreType]) func aCopyWithoutTheValueIsNotMade(type: String) throws {
        let store = try damaged()
        let copy = folder.file("Copy.store")
        let open = try #require(store.coordinator.persistentStores.first)
        let error = #expect(throws: CocoaError.self) {
            _ = try store.coordinator.migratePersistentStore(open, to: copy, options: nil, withType: type)
        }
        #expect(error?.code == .fileReadNoSuchFile)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    @Test func aMigrationWithObjectsFails() throws {
        let store = try damaged()
        try store.close()
        let model = StoreReplacementTests.model()
        let new = StoreReplacementTests.model()
        new.entitiesByName["Item"]?.properties.append(LibraryModel.attribute("size", .integer64AttributeType))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: new)
        let manager = NSMigrationManager(sourceModel: model, destinationModel: new)
        manager.usesStoreSpecificMigrationManager = false
        let copy = folder.file("New.sqlite")
        let error = #expect(throws: CocoaError.self) {
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: copy,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }
        #expect(error?.code == .fileReadNoSuchFile)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(try column() == "38|1")
    }
}
