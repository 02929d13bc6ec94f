import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Sums and the like over values that their attributes' types can't have: an error, and never a number that was guessed.
@Suite(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct DamagedNumberComputingTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Things.sqlite")
        let context = try context()
        try context.performAndWait {
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            for number in 1...4 {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValuesForKeys([
                    "name": "thing \(number)", "count": number, "small": number, "ratio": Double(number) / 4,
                    "price": NSDecimalNumber(string: "\(number).1"), "weight": number,
                    "made": Date(timeIntervalSinceReferenceDate: Double(number)), "box": box,
                ])
            }
            try context.save()
        }
        try close(context)
    }

    private static func model() -> NSManagedObjectModel {
        let (thing, box) = (NSEntityDescription(), NSEntityDescription())
        (thing.name, box.name) = ("Thing", "Box")
        thing.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("count", .integer64AttributeType),
            LibraryModel.attribute("small", .integer16AttributeType),
            LibraryModel.attribute("weight", .integer32AttributeType),
            LibraryModel.attribute("ratio", .doubleAttributeType),
            LibraryModel.attribute("price", .decimalAttributeType), LibraryModel.attribute("made", .dateAttributeType),
            LibraryModel.relationship("box", to: box, rule: .nullifyDeleteRule),
        ]
        box.properties = [LibraryModel.relationship("things", to: thing, toMany: true, rule: .nullifyDeleteRule)]
        LibraryModel.pair(box, "things", thing, "box")
        thing.indexes = [
            NSFetchIndexDescription(
                name: "byWeight",
                elements: [
                    NSFetchIndexElementDescription(
                        property: thing.attributesByName["weight"]!, collationType: .binary)
                ])
        ]
        let model = NSManagedObjectModel()
        model.entities = [thing, box]
        return model
    }

    private func context() throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private static func request(_ format: String, groups: [String] = []) -> NSFetchRequest<NSDictionary> {
        let column = NSExpressionDescription()
        column.name = "result"
        column.expression = NSExpression(format: format)
        column.expressionResultType = format.contains("made") ? .dateAttributeType : .doubleAttributeType
        if format.hasPrefix("sum:(made") || format.hasPrefix("average:(made") {
            column.expressionResultType = .doubleAttributeType
        }
        let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = groups + [column]
        request.propertiesToGroupBy = groups.isEmpty ? nil : groups
        return request
    }

    private static func result(_ format: String, _ context: NSManagedObjectContext) throws -> Double? {
        let value = try context.fetch(request(format)).first?["result"]
        return (value as? Date)?.timeIntervalSinceReferenceDate ?? (value as? NSNumber)?.doubleValue
    }

    private func expectDamage(_ place: String?, _ body: () throws -> Void) {
        let error = #expect(throws: CocoaError.self) { try body() }
        #expect(error?.code == .fileReadCorruptFile)
        let sentence = error?.localizedDescription ?? ""
        #expect(place.map(sentence.contains) ?? true, "\(sentence)")
    }

    private static let values = [
        ("count", "'many'"), ("count", "x'07'"), ("count", "1.5"), ("small", "70000"), ("small", "'many'"),
        ("ratio", "'half'"), ("ratio", "x'07'"), ("price", "'cheap'"), ("made", "'long ago'"),
    ]
    private static let functions = ["sum:", "average:", "min:", "max:", "median:", "stddev:"]

    @Test func soundValuesAreComputed() throws {
        let context = try context()
        try context.performAndWait { () throws in
            for (format, expected) in [
                ("sum:(count)", 10.0), ("average:(count)", 2.5), ("min:(count)", 1), ("max:(count)", 4),
                ("median:(count)", 2.5), ("sum:(small)", 10), ("max:(small)", 4), ("sum:(ratio)", 2.5),
                ("average:(ratio)", 0.625), ("min:(ratio)", 0.25), ("max:(ratio)", 1), ("sum:(price)", 10.4),
                ("average:(price)", 2.6), ("min:(price)", 1.1), ("max:(price)", 4.1), ("min:(made)", 1),
                ("max:(made)", 4), ("sum:(weight)", 10), ("min:(weight)", 1), ("max:(weight)", 4),
            ] {
                #expect(try Self.result(format, context) == expected, "\(format)")
            }
        }
    }

    @Test(arguments: values, functions) func dictionariesThrow(_ value: (String, String), _ function: String) throws {
        let (property, stored) = value
        if property == "made", ["sum:", "average:", "stddev:"].contains(function) { return }
        try SQLiteShell.run("UPDATE ZTHING SET Z\(property.uppercased()) = \(stored) WHERE Z_PK = 2", on: url)
        let context = try context()
        try context.performAndWait { () throws in
            let place = "row 2 of table ZTHING, column Z\(property.uppercased())"
            let format = "\(function)(\(property))"
            expectDamage(place) { _ = try context.fetch(Self.request(format)) }
            expectDamage(place) { _ = try context.fetch(Self.request(format, groups: ["box"])) }
            // The others are computed.
            let request = Self.request(format)
            request.predicate = NSPredicate(format: "name != 'thing 2'")
            #expect(try context.fetch(request).first?["result"] is NSNumber || property == "made")
        }
    }

    @Test func theGreatestOfAnIndexIsCheckedToo() throws {
        try SQLiteShell.run("UPDATE ZTHING SET ZWEIGHT = 'heavy' WHERE Z_PK = 2", on: url)
        let context = try context()
        context.performAndWait {
            for format in ["max:(weight)", "sum:(weight)", "average:(weight)"] {
                expectDamage(nil) { _ = try context.fetch(Self.request(format)) }
            }
        }
    }

    @Test func theLeastOfAnIndexIsThatOfTheSoundValues() throws {
        try SQLiteShell.run("UPDATE ZTHING SET ZWEIGHT = 'heavy' WHERE Z_PK = 1", on: url)
        let context = try context()
        try context.performAndWait { () throws in #expect(try Self.result("min:(weight)", context) == 2) }
    }

    @Test func conditionsCompareAsSQLiteDoes() throws {
        try SQLiteShell.run("UPDATE ZTHING SET ZCOUNT = 'many' WHERE Z_PK = 2", on: url)
        let context = try context()
        try context.performAndWait { () throws in
            for (format, expected) in [
                ("count > 100", 1), ("count < 100", 3), ("count + 1 == 1", 1), ("count == 0", 0),
            ] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
                request.predicate = NSPredicate(format: format)
                #expect(try context.count(for: request) == expected, "\(format)")
            }
        }
    }

    @Test(arguments: ["count + 1", "ratio * 2", "small - 1", "abs:(count)"])
    func computedColumnsThrow(_ format: String) throws {
        let property = ["count", "ratio", "small"].first(where: format.contains) ?? ""
        try SQLiteShell.run("UPDATE ZTHING SET Z\(property.uppercased()) = 'many' WHERE Z_PK = 2", on: url)
        let context = try context()
        context.performAndWait {
            expectDamage("column Z\(property.uppercased())") { _ = try context.fetch(Self.request(format)) }
        }
    }

    @Test(arguments: ["@sum.count > 0", "@avg.count > 0", "@max.count > 0", "@min.count < 0"])
    func predicatesOverSumsThrow(_ format: String) throws {
        try SQLiteShell.run("UPDATE ZTHING SET ZCOUNT = 'many' WHERE Z_PK = 2", on: url)
        let context = try context()
        context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
            request.predicate = NSPredicate(format: "things.\(format)")
            expectDamage(nil) { _ = try context.fetch(request) }
            expectDamage(nil) { _ = try context.count(for: request) }
        }
    }

    @Test func batchUpdatesComputeNothingOfWhatIsDamaged() throws {
        try SQLiteShell.run("UPDATE ZTHING SET ZCOUNT = 'many' WHERE Z_PK = 2", on: url)
        let before = try SQLiteShell.run("SELECT Z_PK, Z_OPT, ZCOUNT, ZRATIO, ZSMALL FROM ZTHING", on: url)
        let context = try context()
        context.performAndWait {
            for (target, format) in [("count", "count + 1"), ("ratio", "count"), ("small", "count * 2")] {
                let update = NSBatchUpdateRequest(entityName: "Thing")
                update.propertiesToUpdate = [target: NSExpression(format: format)]
                expectDamage(nil) { _ = try context.execute(update) }
            }
        }
        #expect(try SQLiteShell.run("SELECT Z_PK, Z_OPT, ZCOUNT, ZRATIO, ZSMALL FROM ZTHING", on: url) == before)
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func batchUpdatesWriteNoNumberThatDoesNotFit(type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSSQLiteStoreType ? url : nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            if type == NSInMemoryStoreType {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValuesForKeys(["small": 3, "count": 5])
                try context.save()
            }
            for (target, format) in [
                ("small", "small + 70000"), ("count", "9000000000000000000 + count * 1000000000000000000"),
            ] {
                let update = NSBatchUpdateRequest(entityName: "Thing")
                update.propertiesToUpdate = [target: NSExpression(format: format)]
                let error = #expect(throws: CocoaError.self, "\(format)") { _ = try context.execute(update) }
                #expect(error?.localizedDescription.contains(target) == true, "\(String(describing: error))")
            }
            let update = NSBatchUpdateRequest(entityName: "Thing")
            update.propertiesToUpdate = ["small": NSExpression(format: "small + 32000")]
            try context.execute(update)
            #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).count > 0)
        }
    }
}
