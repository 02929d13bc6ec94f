/// What all stores together did for a request.
struct BatchResultValue {
    private(set) var count = 0
    private(set) var objectIDs: [NSManagedObjectID] = []

    init() {}

    init(_ outcome: BatchOutcome, _ layout: EntityLayout, _ store: any RowStore) {
        count = outcome.count
        let entities = layout.model.entities
        objectIDs = outcome.references.map {
            NSManagedObjectID(layout: entities[Int($0.entityIndex)], reference: $0.reference, store: store)
        }
    }

    mutating func append(_ other: BatchResultValue) {
        count += other.count
        objectIDs += other.objectIDs
    }
}
