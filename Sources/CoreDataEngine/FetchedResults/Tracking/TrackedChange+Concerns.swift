extension TrackedChange {
    /// Whether an object of the request's entity is among the changed ones.
    func concerns(_ query: ResultQuery, _ context: NSManagedObjectContext) -> Bool {
        [inserted, updated, deleted, refreshed, silent, departed, met].contains { objects in
            objects.contains { query.concerns($0, context) }
        } || [unknown, gone].contains { ids in ids.contains { $0.layout.isKind(of: query.entity) } }
    }
}
