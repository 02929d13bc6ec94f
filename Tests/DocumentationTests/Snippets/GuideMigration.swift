import OpenCoreDataKit

func needsMigration(_ file: URL, to model: NSManagedObjectModel) throws -> Bool {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: file)
    return !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
}

func renamed(_ attribute: NSAttributeDescription, from oldName: String) {
    attribute.renamingIdentifier = oldName
}

@MainActor
func rehearse(_ store: URL, in folder: URL, with model: NSManagedObjectModel) throws -> Int {
    let copy = folder.appendingPathComponent("Rehearsal.sqlite")
    let source = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try source.replacePersistentStore(at: copy, withPersistentStoreFrom: store, type: .sqlite)

    let container = NSPersistentContainer(name: "Rehearsal", managedObjectModel: model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: copy)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return try container.viewContext.count(for: NSFetchRequest<Book>(entityName: "Book"))
}

func stages(
    from old: NSManagedObjectModel, to new: NSManagedObjectModel
) -> NSStagedMigrationManager {
    let stage = NSCustomMigrationStage(
        migratingFrom: NSManagedObjectModelReference(model: old, versionChecksum: old.versionChecksum),
        to: NSManagedObjectModelReference(model: new, versionChecksum: new.versionChecksum))
    stage.didMigrateHandler = { manager, _ in
        guard let context = manager.container?.newBackgroundContext() else { return }
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            for book in try context.fetch(request) where book.value(forKey: "shelf") == nil {
                book.setValue("new arrivals", forKey: "shelf")
            }
            try context.save()
        }
    }
    return NSStagedMigrationManager([stage])
}

func migrateInStages(_ description: NSPersistentStoreDescription, _ manager: NSStagedMigrationManager) {
    description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
}

final class SplitNames: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
        let words = (source.value(forKey: "name") as? String ?? "").split(separator: " ").map(String.init)
        made.first?.setValue(words.first, forKey: "givenName")
        made.first?.setValue(words.last, forKey: "familyName")
    }
}

func registerPolicies() {
    SplitNames.register()
}
