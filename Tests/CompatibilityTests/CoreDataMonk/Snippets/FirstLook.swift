import CoreDataMonk

@MainActor func adults(_ model: NSManagedObjectModel, _ file: URL) throws -> [String] {
    let stack = CoreDataStack(model: model)
    try stack.addDatabaseStore(fileURL: file)
    let world = try CoreDataMainContext(stack: stack)

    world.beginUpdateAndWait { update in
        let monk = try update.fetchOrCreate(Person.self, %"name" == "Monk")
        monk.age = 44
        try update.commit()
    }

    let found = try world.fetchAll(
        Person.self, %"age" >= 18 || %"location" == "Taipei",
        orderBy: .ascending("name") | .descending("age"), options: .limit(100))
    return found.compactMap(\.name)
}
