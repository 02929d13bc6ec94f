import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Relationships lead to objects of the same store.
@Suite(.serialized) struct LinkedStoresTests {
    /// Two stores of each type, and one of each of two types.
    static let pairs = [
        [NSInMemoryStoreType, NSInMemoryStoreType], [NSSQLiteStoreType, NSSQLiteStoreType],
        [NSXMLStoreType, NSXMLStoreType], [NSBinaryStoreType, NSBinaryStoreType],
        [NSSQLiteStoreType, NSInMemoryStoreType],
    ]

    /// A coordinator over two stores with the boxes `one` and `two`, one in each, and an item in each.
    private func coordinator(_ types: [String], _ folder: TemporaryFolder) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BoxModel.make())
        for (index, type) in types.enumerated() {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file("store-\(index)"), options: nil)
        }
        try inContext(coordinator) { context throws in
            for (index, store) in coordinator.persistentStores.enumerated() {
                context.assign(context.box(index == 0 ? "one" : "two"), to: store)
                context.assign(context.item(index), to: store)
            }
            try context.save()
        }
        return coordinator
    }

    private func inContext<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func links(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int] {
        try inContext(coordinator) { context throws in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).flatMap { box in
                BoxModel.toManys.flatMap(box.keys)
            }
        }
    }

    @Test(arguments: pairs, BoxModel.toManys + ["owner", "friend", "cover", "tagged"])
    func aLinkBetweenStoresIsRefusedBeforeAnythingIsWritten(types: [String], key: String) throws {
        let folder = try TemporaryFolder()
        let coordinator = try coordinator(types, folder)
        try inContext(coordinator) { context throws in
            let (box, item) = (
                try #require(try context.stored("Box", "two")), try #require(try context.stored("Item", 0))
            )
            let source = ["owner", "friend", "tagged"].contains(key) ? item : box
            let target = source === box ? item : box
            if source.entity.relationshipsByName[key]?.isToMany == true {
                source.add(target, to: key)
            } else {
                source.setValue(target, forKey: key)
            }
            let bystander = context.box("new")
            context.assign(bystander, to: coordinator.persistentStores[0])
            let error = try #require(throws: CocoaError.self) { try context.save() }
            #expect(error.code == .managedObjectExternalRelationship)
            let objects = error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] ?? []
            #expect(Set(objects) == [box, item])
            let stores = error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] ?? []
            #expect(Set(stores) == Set(coordinator.persistentStores))
            for id in [box.objectID, item.objectID] {
                #expect(error.localizedDescription.contains("\(id)"), "\(error.localizedDescription)")
            }
            #expect(context.hasChanges && bystander.objectID.isTemporaryID)
            context.rollback()
            #expect(!context.hasChanges)
        }
        #expect(try links(coordinator) == [])
        try inContext(coordinator) { context throws in
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box")) == 2)
        }
    }

    @Test(arguments: pairs, [false, true])
    func aNewObjectGoesToTheStoreOfWhatItIsLinkedTo(types: [String], obtainsIDs: Bool) throws {
        let folder = try TemporaryFolder()
        let coordinator = try coordinator(types, folder)
        let second = coordinator.persistentStores[1]
        try inContext(coordinator) { context throws in
            let box = try #require(try context.stored("Box", "two"))
            let items = BoxModel.toManys.enumerated().map { index, key in
                let item = context.item(10 + index)
                box.add(item, to: key)
                return item
            }
            // By way of another new object, and by a to-one that leads to it alone.
            let (far, owner) = (context.item(20), context.box("new"))
            items[0].setValue(owner, forKey: "friend")
            far.setValue(owner, forKey: "owner")
            let free = context.item(30)
            if obtainsIDs { try context.obtainPermanentIDs(for: items + [far, owner, free]) }
            try context.save()
            for object in items + [far, owner] { #expect(object.objectID.persistentStore === second) }
            #expect(free.objectID.persistentStore === coordinator.persistentStores[0])
        }
        #expect(try links(coordinator).sorted() == [10, 11, 12, 13, 14, 20])
    }

    @Test(arguments: pairs) func aNewObjectBetweenTwoStoresIsRefused(types: [String]) throws {
        let folder = try TemporaryFolder()
        let coordinator = try coordinator(types, folder)
        try inContext(coordinator) { context throws in
            let item = context.item(10)
            try context.stored("Box", "one")?.add(item, to: "tags")
            try context.stored("Box", "two")?.add(item, to: "tags")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectExternalRelationship)
        }
        #expect(try links(coordinator) == [])
    }

    @Test(arguments: pairs, [false, true]) func childrenKeepToTheirStoresToo(types: [String], isLinked: Bool) throws {
        let folder = try TemporaryFolder()
        let coordinator = try coordinator(types, folder)
        try inContext(coordinator) { parent in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try child.performAndWait {
                let box = try #require(try child.stored("Box", "two"))
                if isLinked {
                    try child.stored("Item", 0)?.setValue(box, forKey: "owner")
                    let error = #expect(throws: CocoaError.self) { try child.save() }
                    #expect(error?.code == .managedObjectExternalRelationship)
                } else {
                    child.item(10).setValue(box, forKey: "owner")
                    try child.save()
                }
            }
            try parent.save()
        }
        #expect(try links(coordinator) == (isLinked ? [] : [10]))
        try inContext(coordinator) { context throws in
            let item = try context.stored("Item", 10)
            #expect(item?.objectID.persistentStore === (isLinked ? nil : coordinator.persistentStores[1]))
        }
    }

    /// An entity of one store only says where new objects go that are linked with its own.
    @Test func aConfigurationDecidesForWhatIsLinked() throws {
        let folder = try TemporaryFolder()
        let model = BoxModel.make()
        let (box, item) = (try #require(model.entitiesByName["Box"]), try #require(model.entitiesByName["Item"]))
        model.setEntities([item], forConfigurationName: "Items")
        model.setEntities([box, item], forConfigurationName: "All")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in ["Items", "All"] {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: name, at: folder.file(name), options: nil)
        }
        try inContext(coordinator) { context throws in
            let (linked, free) = (context.item(1), context.item(2))
            linked.setValue(context.box("a"), forKey: "owner")
            try context.save()
            #expect(linked.objectID.persistentStore?.configurationName == "All")
            #expect(free.objectID.persistentStore?.configurationName == "Items")
        }
        try inContext(coordinator) { context throws in
            let box = try #require(try context.stored("Box", "a"))
            try context.stored("Item", 2)?.setValue(box, forKey: "owner")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectExternalRelationship)
        }
    }
}
