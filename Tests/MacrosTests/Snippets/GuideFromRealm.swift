// As the page has it, without the indentation inside of the condition.
// swift-format-ignore-file

#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros

@ManagedObject
final class Village: NSManagedObject, Keyed {
    typealias Key = String
    static var keyAttribute: String { "name" }

    @Attribute(.unique) var name: String = ""
}

@ManagedObject
final class Villager: NSManagedObject, Keyed {
    typealias Key = Int
    static var keyAttribute: String { "number" }

    @Attribute(.unique) var number: Int = 0
    var name: String = ""
    var village: Village?
}

struct VillagerRecord: Codable, Sendable {
    let number: Int
    let name: String
    let village: String?
}

func importVillagers(_ json: Data, into database: Database) async throws -> Int {
    let records = try JSONDecoder().decode([VillagerRecord].self, from: json)
    return try await database.importing { context in
        let names = records.compactMap(\.village)
        try context.upsert(names, into: Village.self, key: \.self) { _, _ in }
        let villages = try context.objects(Village.self, keys: names)
        return try context.upsert(records, into: Villager.self, key: \.number) { record, villager in
            villager.name = record.name
            villager.village = record.village.flatMap { villages[$0] }
        }.count
    }
}
#endif
