import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Fetched properties ask the object, and not its row, in every kind of store.
@Suite struct FetchedPropertyTests {
    static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    private static func model(_ format: String) -> NSManagedObjectModel {
        let thing = NSEntityDescription()
        thing.name = "Thing"
        let parts = LibraryModel.relationship("parts", to: thing, toMany: true, rule: .nullifyDeleteRule)
        let whole = LibraryModel.relationship("whole", to: thing, rule: .nullifyDeleteRule)
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = thing
        request.predicate = NSPredicate(format: format)
        let property = NSFetchedPropertyDescription()
        property.name = "found"
        property.fetchRequest = request
        thing.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("limit", .integer64AttributeType, default: 0),
            LibraryModel.attribute("size", .integer64AttributeType, default: 0), parts, whole, property,
        ]
        LibraryModel.pair(thing, "parts", thing, "whole")
        let model = NSManagedObjectModel()
        model.entities = [thing]
        return model
    }

    private func make(_ name: String, size: Int = 0, limit: Int = 0, in context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        for (key, value) in ["name": name, "size": size, "limit": limit] as [String: Any] {
            object.setValue(value, forKey: key)
        }
        return object
    }

    private func found(_ object: NSManagedObject) -> String {
        let context = object.managedObjectContext
        context?.refresh(object, mergeChanges: true)
        let objects = object.value(forKey: "found") as? [NSManagedObject] ?? []
        return objects.compactMap { $0.value(forKey: "name") as? String }.sorted().joined()
    }

    @Test(arguments: types) func whatTheObjectHasNowCounts(type: String) throws {
        let stack = try TestStack(model: Self.model("size > $FETCH_SOURCE.limit"), type: type)
        let context = stack.context()
        let source = try context.performAndWait {
            for (name, size) in [("x", 1), ("y", 2), ("z", 3)] { _ = make(name, size: size, in: context) }
            let source = make("s", limit: 1, in: context)
            try context.save()
            #expect(found(source) == "yz")
            source.setValue(2, forKey: "limit")
            #expect(found(source) == "z")
            #expect(found(make("n", limit: 2, in: context)) == "z")
            return source
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try child.performAndWait {
            let same = try child.existingObject(with: source.objectID)
            #expect(found(same) == "z")
            same.setValue(0, forKey: "limit")
            #expect(found(same) == "xyz")
            #expect(found(make("m", limit: 1, in: child)) == "yz")
        }
    }

    @Test(arguments: types) func whatIsComputedOfItsMembersIsOfThoseOfNow(type: String) throws {
        let format = "size < $FETCH_SOURCE.parts.@count OR size == $FETCH_SOURCE.parts.@max.size + 10"
        let stack = try TestStack(model: Self.model(format), type: type)
        try stack.inContext { context in
            for (name, size) in [("x", 1), ("y", 2), ("z", 17)] { _ = make(name, size: size, in: context) }
            let source = make("s", size: 99, in: context)
            try context.save()
            #expect(found(source) == "")
            source.setValue(
                Set([make("p", size: 7, in: context), make("q", size: 5, in: context)]), forKey: "parts")
            #expect(found(source) == "xz")
        }
    }

    /// A predicate with an object in it, made by the program itself.
    @Test(arguments: types) func anObjectInAPredicateHasTheValuesOfNow(type: String) throws {
        let stack = try TestStack(model: Self.model("name == nil"), type: type)
        try stack.inContext { context in
            for (name, size) in [("x", 1), ("y", 2)] { _ = make(name, size: size, in: context) }
            let source = make("s", limit: 5, in: context)
            try context.save()
            source.setValue(1, forKey: "limit")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.predicate = NSPredicate(format: "size > $source.limit")
                .withSubstitutionVariables(["source": source])
            #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["y"])
        }
    }
}
