import OpenCoreDataKit

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
