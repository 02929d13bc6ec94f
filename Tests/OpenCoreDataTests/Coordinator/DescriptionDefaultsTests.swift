import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What new descriptions have before anything is set.
struct DescriptionDefaultsTests {
    @Test func aNewStoreDescriptionLoadsAStoreThatIsGoneWithItsCoordinator() throws {
        for _ in 0..<2 {
            let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
            let description = NSPersistentStoreDescription()
            #expect(description.url == URL(fileURLWithPath: "/dev/null") && description.type == NSSQLiteStoreType)
            container.persistentStoreDescriptions = [description]
            var failures: [any Error] = []
            container.loadPersistentStores { _, error in error.map { failures.append($0) } }
            #expect(failures.isEmpty && container.persistentStoreCoordinator.persistentStores.count == 1)
            let context = container.newBackgroundContext()
            try context.performAndWait {
                Book(context: context).title = "Emma"
                try context.save()
                context.reset()
                let titles = try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.title)
                #expect(titles == ["Emma"])
            }
        }
    }

    @Test func severalNewStoreDescriptionsAreStoresOfTheirOwn() throws {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: LibraryModel.make())
        let memory = NSPersistentStoreDescription()
        memory.type = NSInMemoryStoreType
        let other = NSPersistentStoreDescription()
        other.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [memory, other, NSPersistentStoreDescription()]
        var failures: [any Error] = []
        container.loadPersistentStores { _, error in error.map { failures.append($0) } }
        #expect(failures.isEmpty)
        #expect(Set(container.persistentStoreCoordinator.persistentStores.map(\.identifier)).count == 3)
    }

    @Test func userInfoCanBeWrittenFromTheBeginning() {
        let entity = NSEntityDescription()
        let attribute = NSAttributeDescription()
        let relationship = NSRelationshipDescription()
        let mapping = NSEntityMapping()
        let property = NSPropertyMapping()
        entity.userInfo?["a"] = 1
        attribute.userInfo?["b"] = 2
        relationship.userInfo?["c"] = 3
        mapping.userInfo?["d"] = 4
        property.userInfo?["e"] = 5
        #expect(entity.userInfo?["a"] as? Int == 1 && attribute.userInfo?["b"] as? Int == 2)
        #expect(relationship.userInfo?["c"] as? Int == 3 && mapping.userInfo?["d"] as? Int == 4)
        #expect(property.userInfo?["e"] as? Int == 5)
        #expect((attribute.copy() as? NSAttributeDescription)?.userInfo?["b"] as? Int == 2)
    }

    @Test func modelsThatWereReadHaveUserInfoAsWell() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        LibraryModel.make().encode(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.requiresSecureCoding = false
        let model = try #require(NSManagedObjectModel(coder: reader))
        let book = try #require(model.entitiesByName["Book"])
        #expect(book.userInfo?.isEmpty == true && book.attributesByName["title"]?.userInfo?.isEmpty == true)
    }
}
