import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Elements of a composite attribute that their types can't have: the commands name element, row and column.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct DamagedCompositeCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("Places.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let opened = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for name in ["one", "two"] {
                let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: context)
                place.setValue(name, forKey: "name")
                place.setValue(
                    ["street": "Elm Street", "floor": 2, "since": Date(timeIntervalSinceReferenceDate: 7)],
                    forKey: "address")
            }
            try context.save()
        }
        try coordinator.remove(opened)
    }

    private static func model() -> NSManagedObjectModel {
        let place = NSEntityDescription()
        place.name = "Place"
        let address = NSCompositeAttributeDescription()
        (address.name, address.isOptional) = ("address", true)
        address.elements = [
            LibraryModel.attribute("street", .stringAttributeType),
            LibraryModel.attribute("floor", .integer16AttributeType),
            LibraryModel.attribute("since", .dateAttributeType),
        ]
        place.properties = [LibraryModel.attribute("name", .stringAttributeType), address]
        let model = NSManagedObjectModel()
        model.entities = [place]
        return model
    }

    @Test(arguments: [("floor", "70000"), ("floor", "'high'"), ("since", "'long ago'"), ("street", "x'FF'")])
    func commandsNameTheElementAndLenientOnesShowTheRest(_ element: String, _ value: String) throws {
        let column = "Z\(element.uppercased())"
        try SQLiteShell.run("UPDATE ZPLACE SET \(column) = \(value) WHERE ZNAME = 'two'", on: store)
        let key = try SQLiteShell.run("SELECT Z_PK FROM ZPLACE WHERE ZNAME = 'two'", on: store)
        for command in [
            ["list", store.path, "Place"], ["list", store.path, "Place", "--format", "json"],
            ["show", store.path, "Place/p\(key)"], ["export", store.path, "-o", "-"],
            ["export", store.path, "-o", "-", "--format", "csv", "--entity", "Place"],
        ] {
            let strict = try CommandRunner.run(command)
            #expect(strict.status == 1, "\(command)")
            #expect(strict.errors.contains("address.\(element) of Place/p\(key)"), "\(command): \(strict.errors)")
            #expect(strict.errors.contains("row \(key) of table ZPLACE, column \(column)"), "\(strict.errors)")
            let lenient = try CommandRunner.run(command + ["--lenient"])
            #expect(lenient.status == 0, "\(command): \(lenient.errors)")
            #expect(lenient.errors.contains("warning: The value of address.\(element)"), "\(lenient.errors)")
            #expect(lenient.output.contains("two"), "\(command): \(lenient.output)")
        }
        #expect(try CommandRunner.run("show", store.path, key == "1" ? "Place/p2" : "Place/p1").status == 0)
        let check = try CommandRunner.run("check", store.path, "--json")
        #expect(check.status == 1)
        let findings = try #require(try check.json() as? [[String: Any]])
        #expect(
            findings.contains {
                $0["kind"] as? String == "value type" && $0["row"] as? Int == Int(key)
                    && ($0["property"] as? String)?.hasPrefix("address") == true
                    && $0["level"] as? String == "damage"
            }, "\(check.output)")
    }
}
