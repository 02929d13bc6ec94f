/// A value with identifiers of new objects in it, which get others when they are saved.
protocol IdentifierHolding {
    func replacing(_ permanent: [NSManagedObjectID: NSManagedObjectID]) -> Self
}

extension NSManagedObjectID: IdentifierHolding {
    func replacing(_ permanent: [NSManagedObjectID: NSManagedObjectID]) -> Self {
        // The class is final, so `Self` is it.
        (permanent[self] as? Self) ?? self
    }
}

extension Optional: IdentifierHolding where Wrapped: IdentifierHolding {
    func replacing(_ permanent: [NSManagedObjectID: NSManagedObjectID]) -> Self { map { $0.replacing(permanent) } }
}

extension Array: IdentifierHolding where Element: IdentifierHolding {
    func replacing(_ permanent: [NSManagedObjectID: NSManagedObjectID]) -> Self { map { $0.replacing(permanent) } }
}

extension Set: IdentifierHolding where Element: IdentifierHolding {
    func replacing(_ permanent: [NSManagedObjectID: NSManagedObjectID]) -> Self {
        Set(map { $0.replacing(permanent) })
    }
}

extension Dictionary: IdentifierHolding where Value: IdentifierHolding {
    func replacing(_ permanent: [NSManagedObjectID: NSManagedObjectID]) -> Self {
        mapValues { $0.replacing(permanent) }
    }
}

/// New objects of a context under their temporary identifiers, recorded before they are saved.
// @unchecked Sendable because the objects are used on the context's queue alone.
struct NewObjects: @unchecked Sendable {
    private let objects: [NSManagedObjectID: NSManagedObject]

    /// Notes the new objects, on the context's queue.
    init(of context: NSManagedObjectContext) {
        objects = Dictionary(
            context.insertedObjects.filter(\.objectID.isTemporaryID).map { ($0.objectID, $0) }
        ) { first, _ in first }
    }

    /// The permanent identifiers after the save, on the context's queue.
    func permanentIDs(in context: NSManagedObjectContext) -> [NSManagedObjectID: NSManagedObjectID] {
        // Asks the parents for what they gave since.
        for id in objects.keys { _ = context.object(with: id) }
        return objects.mapValues(\.objectID)
    }
}
