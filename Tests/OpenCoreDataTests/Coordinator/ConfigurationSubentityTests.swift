import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A store that is opened with a configuration that has an entity and not those that inherit from it.
@Suite(.enabled(if: !TestStack.isOnServer)) struct ConfigurationSubentityTests {
    private static func model() -> NSManagedObjectModel {
        let (book, novel) = (NSEntityDescription(), NSEntityDescription())
        (book.name, novel.name) = ("Book", "Novel")
        book.properties = [LibraryModel.attribute("number", .integer64AttributeType)]
        novel.properties = [LibraryModel.attribute("hero", .stringAttributeType)]
        book.subentities = [novel]
        let model = NSManagedObjectModel()
        model.entities = [book, novel]
        model.setEntities([book], forConfigurationName: "Shelf")
        return model
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func rowsOfSubentitiesThatAreThereAreGiven(type: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Books")
        let whole = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try whole.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let writing = context(whole)
        try writing.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Book", into: writing).setValue(1, forKey: "number")
            let novel = NSEntityDescription.insertNewObject(forEntityName: "Novel", into: writing)
            novel.setValue(2, forKey: "number")
            novel.setValue("Emma", forKey: "hero")
            try writing.save()
        }
        try whole.remove(store)
        let part = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try part.addPersistentStore(ofType: type, configurationName: "Shelf", at: url)
        let context = self.context(part)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            #expect(try context.count(for: request) == 2)
            let books = try context.fetch(request)
            #expect(books.map(\.entity.name) == ["Book", "Novel"])
            #expect(books.last?.value(forKey: "hero") as? String == "Emma")
            books.last?.setValue(3, forKey: "number")
            try context.save()
            context.reset()
            #expect(try context.fetch(request).map { $0.value(forKey: "number") as? Int } == [1, 3])
            request.includesSubentities = false
            #expect(try context.count(for: request) == 1)
        }
    }

    /// A store that was made for the configuration has no place for them.
    @Test func aStoreOfTheConfigurationHasItsEntitiesOnly() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Books.sqlite")
        for _ in 0..<2 {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: "Shelf", at: url)
            try coordinator.remove(store)
        }
        if SQLiteShell.isAvailable {
            #expect(try SQLiteShell.run("SELECT group_concat(Z_NAME) FROM Z_PRIMARYKEY", on: url) == "Book")
        }
    }
}
