#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Values of any length in attributes with an index: the usual kind of index takes about 2,700 bytes.
@Suite(.needsServer) struct LongValueTests {
    private static func model(extra: Bool = false) -> NSManagedObjectModel {
        let link = NSEntityDescription()
        link.name = "Link"
        link.managedObjectClassName = "NSManagedObject"
        let (address, key) = (
            LibraryModel.attribute("address", .stringAttributeType),
            LibraryModel.attribute("key", .stringAttributeType)
        )
        let number = LibraryModel.attribute("number", .integer32AttributeType)
        let bytes = LibraryModel.attribute("bytes", .binaryDataAttributeType)
        link.properties = [address, key, number, bytes]
        if extra { link.properties.append(LibraryModel.attribute("extra", .stringAttributeType)) }
        link.indexes = [
            NSFetchIndexDescription(
                name: "byAddress",
                elements: [NSFetchIndexElementDescription(property: address, collationType: .binary)]),
            NSFetchIndexDescription(
                name: "byNumberAndAddress",
                elements: [
                    NSFetchIndexElementDescription(property: number, collationType: .binary),
                    NSFetchIndexElementDescription(property: address, collationType: .binary),
                ]),
        ]
        link.uniquenessConstraints = [["key"], ["bytes"]]
        let model = NSManagedObjectModel()
        model.entities = [link]
        return model
    }

    /// Text that no compression makes shorter than an index takes.
    private func text(_ length: Int, seed: UInt64) -> String {
        var state = seed
        return String(
            (0..<length).map { _ -> Character in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Character(Unicode.Scalar(UInt8(33 + (state >> 33) % 90)))
            })
    }

    private func insert(_ context: NSManagedObjectContext, _ values: [String: Any]) throws {
        NSEntityDescription.insertNewObject(forEntityName: "Link", into: context).setValuesForKeys(values)
        try context.save()
    }

    private func found(_ context: NSManagedObjectContext, _ format: String, _ value: Any) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Link")
        request.predicate = NSPredicate(format: format, argumentArray: [value])
        return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
    }

    @Test(arguments: [2_000, 2_690, 3_000, 8_200, 20_000, 300_000]) func anIndexedTextOfAnyLengthIsSaved(
        _ length: Int
    )
        throws
    {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                let (long, other) = (text(length, seed: 1), text(length, seed: 1) + "!")
                try insert(context, ["number": 1, "address": "short", "key": "short"])
                try insert(
                    context, ["number": 2, "address": long, "key": long, "bytes": Data(long.utf8)])
                try insert(
                    context, ["number": 3, "address": other, "key": other, "bytes": Data(other.utf8)])
                context.reset()
                for (value, number) in [("short", 1), (long, 2), (other, 3)] {
                    #expect(try found(context, "address == %@", value) == [number])
                    #expect(try found(context, "key == %@", value) == [number])
                }
                #expect(try found(context, "bytes == %@", Data(long.utf8)) == [2])
                // What is equal is refused, as with short texts.
                for values in [["key": long], ["bytes": Data(other.utf8)], ["key": "short"]] as [[String: Any]] {
                    let error = #expect(throws: CocoaError.self) { try insert(context, values) }
                    #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
                    context.rollback()
                }
            }
        }
    }

    @Test func batchesAndLargerTransactionsTakeLongTexts() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                let long = (1...4).map { text(4_000, seed: UInt64($0)) }
                _ = try context.execute(
                    NSBatchInsertRequest(
                        entityName: "Link", objects: [["number": 1, "address": "short", "key": "short"]]))
                let request = NSBatchUpdateRequest(entityName: "Link")
                request.propertiesToUpdate = ["address": long[1], "key": long[1]]
                _ = try context.execute(request)
                #expect(try found(context, "key == %@ AND address == key", long[1]) == [1])
                _ = try context.execute(
                    NSBatchInsertRequest(
                        entityName: "Link", objects: [["number": 2, "bytes": Data(long[2].utf8), "key": long[2]]]))
                #expect(try found(context, "bytes == %@", Data(long[2].utf8)) == [2])
            }
        }
        try ServerStack.with(model: Self.model()) { stack in
            let store = try #require(stack.coordinator.persistentStores.first as? PostgreSQLStore)
            try stack.inContext { context in
                try store.savingTogether {
                    try insert(context, ["number": 1, "address": "short"])
                    try insert(
                        context, ["number": 2, "address": text(9_000, seed: 1), "key": text(9_000, seed: 1)])
                    let request = NSBatchUpdateRequest(entityName: "Link")
                    request.predicate = NSPredicate(format: "number == 1")
                    request.propertiesToUpdate = ["address": text(3_000, seed: 3)]
                    _ = try context.execute(request)
                }
            }
            #expect(
                try stack.rows("SELECT number::text, length(address)::text FROM link ORDER BY number")
                    == [["1", "3000"], ["2", "9000"]])
        }
    }

    @Test func equalTextsAreStillFoundByAnIndex() throws {
        try ServerStack.with(model: Self.model()) { stack in
            try stack.inContext { context in
                try insert(context, ["number": 1, "address": text(9_000, seed: 1), "key": text(9_000, seed: 1)])
            }
            let definitions = try stack.rows(
                "SELECT indexdef FROM pg_indexes WHERE schemaname = '\(stack.schema)' ORDER BY indexname"
            ).map { $0[0] }
            #expect(definitions.contains { $0.contains("USING hash (address)") })
            #expect(definitions.contains { $0.contains("USING hash (key)") })
            #expect(definitions.contains { $0.contains("UNIQUE") && $0.contains("md5") })
        }
    }

    @Test func aMigrationKeepsWhatIsLong() throws {
        try TestServer.withSchema(created: false) { schema in
            let long = text(5_000, seed: 1)
            let first = try ServerStack(model: Self.model(), schema: schema)
            try first.inContext { try insert($0, ["number": 1, "address": long, "key": long]) }
            first.close()
            // The table goes by another name, so its indexes are made again.
            let model = Self.model(extra: true)
            model.entitiesByName["Link"]?.renamingIdentifier = "Link"
            model.entitiesByName["Link"]?.name = "Target"
            let second = try ServerStack(
                model: model, schema: schema,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true,
                    NSInferMappingModelAutomaticallyOption: true,
                ])
            defer { second.close() }
            #expect(try second.rows("SELECT length(address)::text FROM target") == [["5000"]])
            second.inContext { context in
                NSEntityDescription.insertNewObject(forEntityName: "Target", into: context).setValue(
                    long, forKey: "key")
                #expect(throws: CocoaError.self) { try context.save() }
            }
        }
    }
}
#endif
