/// Where a context reads and saves, and what it keeps of what it read there.
struct ContextSource {
    var coordinator: NSPersistentStoreCoordinator?
    var parent: NSManagedObjectContext?
    /// Which state of the stores is read.
    var pin = GenerationPin.none
    /// What was read along with other objects' rows, until these ask for it.
    var cohorts = CohortCache()
}
