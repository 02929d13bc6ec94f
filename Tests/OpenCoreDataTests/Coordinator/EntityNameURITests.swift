import Foundation
import OpenCoreData
import TestSupport
import Testing

/// URIs of objects whose entities have names that a URI can't hold as they are.
@Suite struct EntityNameURITests {
    @Test(arguments: ["a/b", "a/b/c", "/", "a%2Fb", "a b", "ä?#", "p1/p1"]) func comeBack(name: String) throws {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model, type: NSInMemoryStoreType)
        try stack.inContext { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            let temporary = object.objectID
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: temporary.uriRepresentation()) == temporary)
            try context.save()
            let id = object.objectID
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
            #expect(id.uriRepresentation().lastPathComponent == "p1")
        }
    }

    /// As earlier versions wrote them.
    @Test func aSlashAsItIsIsUnderstood() throws {
        let entity = NSEntityDescription()
        entity.name = "a/b"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model, type: NSInMemoryStoreType)
        let store = try #require(stack.coordinator.persistentStores.first?.identifier)
        let url = try #require(URL(string: "x-coredata://\(store)/a/b/p7"))
        let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
        #expect(id.entity.name == "a/b" && id.uriRepresentation().absoluteString.hasSuffix("/a%2Fb/p7"))
    }
}
