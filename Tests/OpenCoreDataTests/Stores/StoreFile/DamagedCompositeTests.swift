import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Elements of composite attributes that their types can't have: nothing is guessed, and nothing else is lost.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct DamagedCompositeTests {
    private let stack: TestStack

    init() throws {
        stack = try TestStack(model: Self.model())
        try stack.inContext { context in
            for name in ["one", "two"] {
                let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValuesForKeys([
                    "name": name,
                    "address": [
                        "street": "Elm Street", "number": 5, "floor": 2,
                        "since": Date(timeIntervalSinceReferenceDate: 7),
                        "rent": NSDecimalNumber(string: "12.5"), "key": UUID(),
                        "page": URL(string: "https://a.example")!,
                        "isNew": true, "plan": Data([1, 2]),
                    ] as [String: Any],
                ])
            }
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    }

    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        let address = NSCompositeAttributeDescription()
        (address.name, address.isOptional) = ("address", true)
        address.elements = [
            LibraryModel.attribute("street", .stringAttributeType),
            LibraryModel.attribute("number", .integer32AttributeType),
            LibraryModel.attribute("floor", .integer16AttributeType),
            LibraryModel.attribute("since", .dateAttributeType), LibraryModel.attribute("rent", .decimalAttributeType),
            LibraryModel.attribute("key", .UUIDAttributeType), LibraryModel.attribute("page", .URIAttributeType),
            LibraryModel.attribute("isNew", .booleanAttributeType),
            LibraryModel.attribute("plan", .binaryDataAttributeType),
        ]
        person.properties = [LibraryModel.attribute("name", .stringAttributeType), address]
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    static let damages = [
        ("number", "'many'"), ("number", "1.5"), ("number", "3000000000"), ("floor", "70000"), ("since", "'long ago'"),
        ("rent", "'cheap'"), ("key", "x'07'"), ("page", "'http://[::'"), ("isNew", "'perhaps'"), ("street", "x'FF'"),
        ("plan", "'text'"),
    ]

    private func url() throws -> URL { stack.folder.file("Library.sqlite") }

    private func damage(_ element: String, _ value: String) throws {
        try SQLiteShell.run("UPDATE ZPERSON SET Z\(element.uppercased()) = \(value) WHERE ZNAME = 'two'", on: url())
    }

    private func stored(_ columns: String) throws -> String {
        try SQLiteShell.run("SELECT \(columns) FROM ZPERSON WHERE ZNAME = 'two'", on: url())
    }

    private func context() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url(), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func people() -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    private static func two(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        request.resultType = .managedObjectIDResultType
        request.predicate = NSPredicate(format: "name == 'two'")
        return context.object(with: try #require(try context.fetch(request).first))
    }

    private func expectDamage(of element: String, row: Bool = true, _ body: () throws -> Void) {
        let error = #expect(throws: CocoaError.self) { try body() }
        #expect(error?.code == .fileReadCorruptFile)
        let sentence = error?.localizedDescription ?? ""
        #expect(sentence.contains(row ? "address.\(element) of Person" : "Person.address.\(element)"), "\(sentence)")
        if row {
            #expect(sentence.contains("of table ZPERSON, column Z\(element.uppercased())"), "\(sentence)")
        }
    }

    @Test(arguments: damages) func fetchesFaultsSavesAndDictionariesThrow(_ element: String, _ value: String) throws {
        try damage(element, value)
        let before = try stored("quote(Z\(element.uppercased())), Z_OPT")
        let context = try context()
        try context.performAndWait {
            expectDamage(of: element) { _ = try context.fetch(Self.people()) }
            for path in ["address", "address.\(element)"] {
                let request = NSFetchRequest<NSDictionary>(entityName: "Person")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = [path]
                expectDamage(of: element, row: false) { _ = try context.fetch(request) }
                request.predicate = NSPredicate(format: "name == 'one'")
                #expect(try context.fetch(request).count == 1)
            }
            let person = try Self.two(context)
            #expect(person.value(forKey: "address") == nil)
            #expect(person.value(forKey: "name") as? String == "two")
            person.setValue("zwei", forKey: "name")
            expectDamage(of: element) { try context.save() }
            // Another element can't be set without losing what is damaged.
            person.setValue("Oak Street", forKeyPath: element == "street" ? "address.number" : "address.street")
            expectDamage(of: element) { try context.save() }
        }
        #expect(try stored("quote(Z\(element.uppercased())), Z_OPT") == before)
    }

    @Test func aDamagedElementCanBeReplacedAloneOrWithTheWhole() throws {
        try damage("number", "'many'")
        let context = try context()
        try context.performAndWait {
            let person = try Self.two(context)
            person.setValue(8, forKeyPath: "address.number")
            try context.save()
            #expect(try context.fetch(Self.people()).count == 2)
            #expect(person.value(forKeyPath: "address.number") as? Int == 8)
        }
        #expect(try stored("ZSTREET, ZNUMBER, ZFLOOR, ZRENT, ZISNEW, quote(ZPLAN)") == "Elm Street|8|2|12.5|1|X'0102'")
        try damage("number", "'many'")
        try damage("floor", "70000")
        let other = try self.context()
        try other.performAndWait {
            let person = try Self.two(other)
            person.setValue(["street": "Oak Street"], forKey: "address")
            try other.save()
        }
        #expect(try stored("ZSTREET, ZNUMBER IS NULL, ZFLOOR IS NULL") == "Oak Street|1|1")
    }

    @Test func childContextsReportToo() throws {
        try damage("floor", "70000")
        let parent = try context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let id = try parent.performAndWait { try Self.two(parent).objectID }
        try child.performAndWait {
            expectDamage(of: "floor") { _ = try child.fetch(Self.people()) }
            let person = child.object(with: id)
            #expect(person.value(forKey: "address") == nil)
            person.setValue("zwei", forKey: "name")
            expectDamage(of: "floor") { try child.save() }
            person.setValue(["floor": 3], forKey: "address")
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        #expect(try SQLiteShell.run("SELECT ZNAME, ZFLOOR FROM ZPERSON WHERE Z_PK = 2", on: url()) == "zwei|3")
    }

    /// What Apple's framework and other programs write in other forms, without a loss.
    @Test(arguments: [
        ("number", "'12'"), ("number", "12.0"), ("floor", "'12'"), ("since", "12"), ("rent", "12"), ("rent", "'12'"),
        ("since", "'12'"), ("isNew", "1"),
    ])
    func otherFormsOfSoundValuesAreRead(_ element: String, _ value: String) throws {
        try damage(element, value)
        let context = try context()
        try context.performAndWait {
            let found = try context.fetch(Self.people()).last?.value(forKeyPath: "address.\(element)")
            if let date = found as? Date {
                #expect(date == Date(timeIntervalSinceReferenceDate: 12))
            } else {
                #expect((found as? NSNumber)?.intValue == (element == "isNew" ? 1 : 12))
            }
        }
    }
}
