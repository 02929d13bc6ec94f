import OpenCoreDataKit

func makeTestContainer(_ model: NSManagedObjectModel) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Test", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}

func makeTestDatabase(_ model: NSManagedObjectModel) async throws -> Database {
    try await Database.open(Database.Configuration(name: "Test", model: .value(model)).inMemory())
}

@MainActor
func withTemporaryStore(_ model: NSManagedObjectModel, _ body: (NSPersistentContainer) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = NSPersistentContainer(name: "Test", managedObjectModel: model)
    let file = folder.appendingPathComponent("Test.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    try body(container)
}

@MainActor
func savedTitles(_ titles: [String], in container: NSPersistentContainer) throws -> [String] {
    let context = container.viewContext
    for title in titles { Book(context: context).title = title }
    try context.save()
    context.reset()
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try context.fetch(request).map(\.title)
}

func watchFaults(_ report: @escaping @Sendable (String) -> Void) {
    FaultMonitor.threshold = 10
    FaultMonitor.setHandler { report($0.message) }
}
