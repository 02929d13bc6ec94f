import OpenCoreDataKit

func openForReading(_ file: URL) throws -> NSPersistentContainer {
    let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: file)
    for entity in model.entities { entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self) }
    let container = NSPersistentContainer(name: "Evidence", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: file)
    description.isReadOnly = true
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
}

@MainActor
func names(of entity: String, attribute: String, in container: NSPersistentContainer) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    return try container.viewContext.fetch(request).compactMap { $0.value(forKey: attribute) as? String }.sorted()
}
