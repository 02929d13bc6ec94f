import Foundation
import TestSupport
import Testing

@testable import CoreDataEngine

@Suite struct WeakHandleTests {
    private final class Owner: Sendable {
        private let handle = WeakHandle<Owner>()
        let atEnd: @Sendable (WeakHandle<Owner>) -> Void

        init(atEnd: @escaping @Sendable (WeakHandle<Owner>) -> Void = { _ in }) { self.atEnd = atEnd }

        deinit {
            atEnd(handle)
            handle.clear(self)
        }

        var weakHandle: WeakHandle<Owner> { handle.bound(to: self) }
    }

    @Test func theHandleGivesItsObjectAsLongAsThatLives() {
        var owner: Owner? = Owner()
        let handle = owner?.weakHandle
        #expect(handle?.object === owner)
        #expect(handle?.isCleared == false)
        owner = nil
        #expect(handle?.object == nil)
        #expect(handle?.isCleared == true)
    }

    @Test func theHandleKeepsNothingAlive() {
        weak var owner: Owner?
        let handle: WeakHandle<Owner>
        do {
            let made = Owner()
            owner = made
            handle = made.weakHandle
        }
        #expect(owner == nil)
        #expect(handle.object == nil)
    }

    @Test func anObjectThatIsBeingReleasedIsNotGivenOut() {
        let wasGiven = Flag()
        var owner: Owner? = Owner { if $0.object != nil { wasGiven.set() } }
        let handle = owner?.weakHandle
        #expect(handle?.object != nil)
        owner = nil
        #expect(!wasGiven.isSet)
    }

    @Test func threadsAskWhileObjectsGo() throws {
        for _ in 0..<300 {
            nonisolated(unsafe) var owner: Owner? = Owner()  // Changed by the first iteration alone.
            let handle = try #require(owner?.weakHandle)
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                if index == 0 {
                    owner = nil
                } else {
                    for _ in 0..<50 { _ = handle.object?.atEnd }
                }
            }
            #expect(handle.object == nil)
        }
    }

    @Test(arguments: [false, true]) func contextsCoordinatorsAndModelsGoWhenNothingHoldsThem(hasUndo: Bool) throws {
        weak var context: NSManagedObjectContext?
        weak var coordinator: NSPersistentStoreCoordinator?
        weak var model: NSManagedObjectModel?
        do {
            let entity = NSEntityDescription()
            entity.name = "Note"
            let made = NSManagedObjectModel()
            made.entities = [entity]
            let root = NSPersistentStoreCoordinator(managedObjectModel: made)
            let store = try root.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            let user = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            user.persistentStoreCoordinator = root
            if hasUndo { user.undoManager = UndoManager() }
            user.performAndWait { _ = NSManagedObject(entity: entity, insertInto: user) }
            #expect(store.persistentStoreCoordinator === root)
            #expect(entity.managedObjectModel === made)
            (context, coordinator, model) = (user, root, made)
        }
        #expect(context == nil)
        #expect(coordinator == nil)
        #expect(model == nil)
    }

    @Test func whatOutlivesItsOwnerSaysSo() throws {
        let attribute = NSAttributeDescription()
        attribute.name = "text"
        attribute.attributeType = .stringAttributeType
        let store: NSPersistentStore
        let id: NSManagedObjectID
        do {
            let entity = NSEntityDescription()
            entity.name = "Note"
            entity.properties = [attribute]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            id = try context.performAndWait {
                let note = NSManagedObject(entity: entity, insertInto: context)
                try context.save()
                return note.objectID
            }
        }
        #expect(store.persistentStoreCoordinator == nil)
        #expect(id.persistentStore === store)
        // The identifier keeps the model.
        #expect(id.entity.properties.first === attribute)
        #expect(attribute.entity === id.entity)
    }
}
