import Foundation
import OpenCoreData
import TestSupport
import Testing

private final class UntouchedAndPrivate: NSManagedObject {}
final class UntouchedTwin: NSManagedObject {}
final class UntouchedCompanion: NSManagedObject {}

/// Classes that a model names and no code has used yet. Naming them here would be using them.
@Suite(.serialized) struct DeclaredClassTests {
    private static func model(_ classes: String...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = classes.enumerated().map { index, name in
            let entity = PublishingModel.entity(
                "Entity\(index)", PublishingModel.attribute("name", .stringAttributeType))
            entity.managedObjectClassName = name
            return entity
        }
        return model
    }

    private func classes(_ model: NSManagedObjectModel, type: String = NSInMemoryStoreType) throws -> [String] {
        let stack = try TestStack(model: model, type: type)
        let names = model.entities.compactMap(\.name).sorted()
        let inserted = try stack.inContext { context in
            let objects = names.map { NSEntityDescription.insertNewObject(forEntityName: $0, into: context) }
            try context.save()
            return objects.map { String(reflecting: Swift.type(of: $0)) }
        }
        let fetched = try stack.inContext { context in
            try names.map { name in
                let found = try context.fetch(NSFetchRequest<any NSFetchRequestResult>(entityName: name))
                return String(reflecting: Swift.type(of: try #require(found.first)))
            }
        }
        #expect(inserted == fetched)
        return inserted
    }

    @Test(arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func aClassOfALibraryIsFoundByEachWayToNameIt(type: String) throws {
        for name in ["UntouchedThing", ".UntouchedThing", "TestSupport.UntouchedThing", "Elsewhere.UntouchedThing"] {
            #expect(try classes(Self.model(name), type: type) == ["TestSupport.UntouchedThing"])
        }
    }

    @Test func nestedAndPrivateClassesAreFoundWhereThereIsNoOther() throws {
        let found = try classes(Self.model("UntouchedInside", "UntouchedAndPrivate"))
        #expect(found[0] == "TestSupport.UntouchedSpace.UntouchedInside")
        #expect(found[1].hasPrefix("OpenCoreDataTests.") && found[1].hasSuffix(".UntouchedAndPrivate"))
    }

    @Test func otherClassesAreNone() throws {
        let names = ["UntouchedView", "UntouchedSubview", "TestSupport.UntouchedSubview", "NoSuchClass", "."]
        for name in names { #expect(try classes(Self.model(name)) == ["CoreDataEngine.NSManagedObject"]) }
    }

    @Test func ofTwoModulesTheOneOfTheOtherClassesIsTaken() throws {
        #expect(
            try classes(Self.model("UntouchedTwin", "UntouchedThing"))
                == ["TestSupport.UntouchedTwin", "TestSupport.UntouchedThing"])
        #expect(
            try classes(Self.model("UntouchedTwin", "UntouchedCompanion"))
                == ["OpenCoreDataTests.UntouchedTwin", "OpenCoreDataTests.UntouchedCompanion"])
        #expect(
            try classes(Self.model("OpenCoreDataTests.UntouchedTwin", "UntouchedThing"))
                == ["OpenCoreDataTests.UntouchedTwin", "TestSupport.UntouchedThing"])
    }

    @Test func anEntityIsFoundByAClassThatTheModelNamesWithoutItsModule() throws {
        let stack = try TestStack(model: Self.model("UntouchedCompanion"), type: NSInMemoryStoreType)
        try stack.inContext { context in
            #expect(UntouchedCompanion(context: context).entity.name == "Entity0")
            #expect(UntouchedCompanion.entity().name == "Entity0")
            let found = try context.fetch(NSFetchRequest<UntouchedCompanion>(entityName: "Entity0"))
            #expect(found.count == 1)
        }
    }

    /// What a process said.
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func theLogNamesBothClassesAndOnceOneThatIsNotThere() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            for _ in 0..<2 {
                let model = Self.model("UntouchedTwin", "UntouchedThing", "NoSuchClass")
                let stack = try TestStack(model: model, type: NSInMemoryStoreType)
                try stack.inContext { context in
                    for name in ["Entity0", "Entity1", "Entity2", "Entity2"] {
                        _ = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                    }
                    try context.save()
                    context.reset()
                    #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Entity2")).count == 2)
                }
            }
        }
        let string = said(result)
        #expect(string.components(separatedBy: "'NoSuchClass'").count == 2, "\(string)")
        #expect(string.components(separatedBy: "'UntouchedTwin'").count == 2, "\(string)")
        #expect(string.contains("may be TestSupport.UntouchedTwin or OpenCoreDataTests.UntouchedTwin"))
        #expect(!string.contains("'UntouchedThing'"))
    }

    @Test func aClassWithoutAnEntityHasANamelessOneAndNSManagedObjectNone() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            // An entity of `NSManagedObject` belongs to no subclass.
            let stack = try TestStack(type: NSInMemoryStoreType)
            for _ in 0..<2 {
                #expect(UntouchedCompanion.entity().name == nil)
                #expect(NSManagedObject.entity().name == nil)
            }
            #expect(UntouchedCompanion.fetchRequest().entityName == "UntouchedCompanion")
            stack.inContext { context in
                #expect(throws: CocoaError.self) { try context.fetch(NSManagedObject.fetchRequest()) }
                _ = NSManagedObject(entity: UntouchedCompanion.entity(), insertInto: nil)
            }
        }
        #expect(said(result).components(separatedBy: "has the class UntouchedCompanion").count == 2, "\(said(result))")
    }
}
