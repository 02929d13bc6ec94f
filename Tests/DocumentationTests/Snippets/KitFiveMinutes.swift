import OpenCoreDataKit

final class Plant: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let heightProperty = ManagedProperty<Double>("height")

    var name: String {
        get { self[Plant.nameProperty] }
        set { self[Plant.nameProperty] = newValue }
    }

    var height: Double {
        get { self[Plant.heightProperty] }
        set { self[Plant.heightProperty] = newValue }
    }
}

func makeGardenModel() -> NSManagedObjectModel {
    let name = NSAttributeDescription()
    name.name = "name"
    name.type = .string
    name.isOptional = false

    let height = NSAttributeDescription()
    height.name = "height"
    height.type = .double
    height.defaultValue = 0.0

    let plant = NSEntityDescription()
    plant.name = "Plant"
    plant.managedObjectClassName = NSStringFromClass(Plant.self)
    plant.properties = [name, height]

    let model = NSManagedObjectModel()
    model.entities = [plant]
    return model
}

func openGarden(in folder: URL) async throws -> Database {
    try await Database.open(
        Database.Configuration(
            name: "Garden", model: .value(makeGardenModel()), stores: [.sqlite(in: .at(folder))]))
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
        let tall = Query(Plant.self).filter(#Predicate { $0.height > 4 }).sorted(SortDescriptor(\.name))
        return try context.all(tall).map(\.name)
    }
}

func averageHeight(in garden: Database) async throws -> Double? {
    try await garden.read { try $0.value(Query(Plant.self).average(\.height)) }
}

func repot(_ id: NSManagedObjectID, as name: String, in garden: Database) async throws {
    let form = garden.draft()
    try await form.perform { context in
        try context.one(Query(Plant.self).filter(NSPredicate(format: "SELF == %@", id))).name = name
    }
    // The user looks at it, and presses the button.
    try await form.commit()
}

func waitForNewPlants(_ count: Int, in commits: AsyncStream<Commit>) async -> Int {
    var seen = 0
    for await commit in commits {
        seen += commit.inserted.count
        if seen >= count { break }
    }
    return seen
}
