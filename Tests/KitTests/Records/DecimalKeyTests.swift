import OpenCoreDataKit
import TestSupport
import Testing

/// Objects whose keys are decimal numbers.
@Suite struct DecimalKeyTests {
    private final class Price: NSManagedObject, Keyed {
        typealias Key = Decimal
        static var keyAttribute: String { "amount" }
    }

    private final class OldPrice: NSManagedObject, Keyed {
        typealias Key = NSDecimalNumber
        static var keyAttribute: String { "amount" }
    }

    private func context(_ type: (some NSManagedObject).Type) throws -> NSManagedObjectContext {
        let entity = NSEntityDescription()
        entity.name = "Price"
        entity.managedObjectClassName = NSStringFromClass(type)
        entity.properties = [
            LibraryModel.attribute("amount", .decimalAttributeType),
            LibraryModel.attribute("name", .stringAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test func swiftsDecimalsAreKeys() throws {
        let context = try context(Price.self)
        try context.performAndWait {
            let amounts = [Decimal(string: "0.5"), 2, Decimal(string: "0.50")].compactMap(\.self)
            for _ in 0..<2 {
                try context.upsert(amounts, into: Price.self, key: \.self) { $1.setValue("\($0)", forKey: "name") }
                try context.save()
                context.reset()
            }
            #expect(try context.objects(Price.self, keys: amounts).count == 2)
            #expect(try context.object(Price.self, key: 2)?.value(forKey: "name") as? String == "2")
        }
    }

    /// Outside Apple's systems, Foundation can't hash its own class of decimal numbers.
    @Test func foundationsDecimalsAreFoundOneByOne() throws {
        let context = try context(OldPrice.self)
        let two: NSDecimalNumber = 2
        try context.performAndWait {
            let object = try context.findOrCreate(OldPrice.self, key: two)
            #expect(try context.object(OldPrice.self, key: two) === object)
            try context.save()
            context.reset()
            #expect(try context.object(OldPrice.self, key: two) != nil)
            #if !canImport(ObjectiveC)
            for refused in [
                { _ = try context.objects(OldPrice.self, keys: [two]) },
                { _ = try context.upsert([two], into: OldPrice.self, key: \.self) { _, _ in } },
            ] as [() throws -> Void] {
                let error = #expect(throws: DatabaseError.self) { try refused() }
                #expect(error?.description.contains("use Decimal") == true)
            }
            #endif
        }
    }
}
