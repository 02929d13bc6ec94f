// As the page has it, without the indentation inside of the condition.
// swift-format-ignore-file

#if Macros
import OpenCoreDataKit
import OpenCoreDataMacros

@ManagedObject
final class Plant: NSManagedObject {
    var name: String = ""
    var height: Double = 0
}

func openGarden(in folder: URL) async throws -> Database {
    try await Database.open(name: "Garden", model: NSManagedObjectModel(for: Plant.self), in: .at(folder))
}

@MainActor func showPlants(of garden: Database) async throws {
    for await plants in try LiveResults(Query(Plant.self).sorted(by: \.name), in: garden) {
        print(plants.map(\.name))
    }
}

func plant(_ names: [String], in garden: Database) async throws -> [NSManagedObjectID] {
    try await garden.write { context in
        try names.map { name in
            let plant = try context.create(Plant.self)
            plant.name = name
            plant.height = Double(name.count)
            return plant.objectID
        }
    }
}

func tallPlants(in garden: Database) async throws -> [String] {
    try await garden.read { context in
        let tall = Query(Plant.self).filter(#Predicate { $0.height > 4 }).sorted(by: \.name)
        return try context.all(tall).map(\.name)
    }
}

func averageHeight(in garden: Database) async throws -> Double? {
    try await garden.read { try $0.value(Query(Plant.self).average(\.height)) }
}

func repot(_ id: NSManagedObjectID, as name: String, in garden: Database) async throws {
    let form = garden.draft()
    try await form.perform { context in
        try context.object(Plant.self, id)?.name = name
    }
    // The user looks at it, and presses the button.
    try await form.commit()
}

func waitForNewPlants(_ count: Int, in changes: AsyncStream<Commit>) async -> Int {
    var seen = 0
    for await commit in changes {
        seen += commit.inserted.count
        if seen >= count { break }
    }
    return seen
}
#endif
