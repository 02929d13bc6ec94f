#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import Synchronization
import TestSupport
import Testing

private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}

/// New rows of an existing table get their keys from its sequence, which other programs use at the same time.
@Suite(.needsServer)
struct SharedSequenceTests {
    private let database: ServerDatabase
    private let context: NSManagedObjectContext

    init() throws {
        database = try ServerDatabase(isMade: true)
        try database.sql("CREATE TABLE author (id serial PRIMARY KEY, name text NOT NULL)")
        let name = NSAttributeDescription()
        (name.name, name.attributeType, name.userInfo) = ("name", .stringAttributeType, ["column": "name"])
        let entity = NSEntityDescription()
        entity.name = "Author"
        entity.userInfo = ["table": "author", "primaryKey": "id"]
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try database.coordinator(model)
    }

    /// Saves new rows while another program does something again and again. Returns the keys by the rows' names.
    private func save(_ count: Int, times: Int, while statement: String) throws -> [String: String] {
        let database = database
        let over = DispatchSemaphore(value: 0)
        let flag = Flag()
        let thread = Thread {
            while !flag.isSet {
                do {
                    try database.sql("DO $$ BEGIN FOR i IN 1..2000 LOOP \(statement); COMMIT; END LOOP; END $$")
                } catch {
                    Issue.record(error)
                    break
                }
            }
            over.signal()
        }
        thread.start()
        defer {
            flag.set()
            over.wait()
        }
        var keys: [String: String] = [:]
        for round in 0..<times {
            try context.performAndWait {
                let objects = (0..<count).map { number in
                    let object = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                    object.setValue("own \(round) \(number)", forKey: "name")
                    return object
                }
                try context.save()
                for object in objects {
                    let name = object.value(forKey: "name") as? String ?? ""
                    keys[name] = String(object.objectID.uriRepresentation().lastPathComponent.dropFirst())
                }
                context.reset()
            }
        }
        return keys
    }

    private func stored() throws -> [String: String] {
        let lines = try database.sql("SELECT name, id FROM author WHERE name LIKE 'own %'").split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: "|").map(String.init)
                return (parts[0], parts[1])
            })
    }

    @Test func objectsHaveTheKeysOfTheirRowsWhileOthersInsert() throws {
        let keys = try save(2_000, times: 5, while: "INSERT INTO author (name) VALUES ('other ' || i)")
        #expect(keys.count == 10_000 && Set(keys.values).count == 10_000)
        #expect(try stored() == keys)
        #expect(try database.sql("SELECT count(*) > 0 FROM author WHERE name LIKE 'other %'") == "t")
    }

    /// Programs that take numbers and insert nothing can't be kept from it.
    @Test func whoOnlyTakesNumbersIsNamedInTheError() throws {
        do {
            let keys = try save(5_000, times: 1, while: "PERFORM nextval('author_id_seq')")
            #expect(try stored() == keys)
        } catch let error as CocoaError {
            #expect("\(error)".contains("others use its sequence"))
            #expect(try stored().isEmpty)
        }
    }
}
#endif
