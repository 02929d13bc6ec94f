/// The entity of a request: given as such, or as a name that is looked up when the request is executed.
struct RequestedEntity {
    let name: String
    private(set) var found: NSEntityDescription?

    init(named name: String) { self.name = name }

    init(_ entity: NSEntityDescription) {
        name = entity.name ?? ""
        found = entity
    }

    /// The entity's layout in a context's model.
    ///
    /// - Throws: An error that names the entity when the model has none of the name.
    mutating func resolve(in context: NSManagedObjectContext, for request: NSPersistentStoreRequest) throws
        -> EntityLayout
    {
        guard let model = context.persistentStoreCoordinator?.managedObjectModel, let layout = context.layout else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(context.name.map { " \"\($0)\"" } ?? "") has no persistent store coordinator, so it can't "
                    + "execute a \(type(of: request)) for \(name).")
        }
        guard let entity = model.entitiesByName[name], let found = layout[name] else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The \(type(of: request)) is for the entity '\(name)', which the model doesn't have.")
        }
        self.found = entity
        return found
    }
}
