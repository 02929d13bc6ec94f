import Foundation

/// What a controller fetches, checked and fixed when it fetches.
struct ResultQuery {
    let request: NSFetchRequestBase
    let entity: EntityLayout
    let order: SortOrder
    let naming: SectionNaming?
    /// Whether the results are dictionaries, which aren't kept up to date.
    let isStatic: Bool

    /// Whether a save changes values itself: the entity has derived attributes.
    let dependsOnSaves: Bool

    /// Whether the predicate has full text search, which only the server can evaluate.
    private let searchesText: Bool

    /// Whether each change fetches again: offset and limit exclude matching objects, or only the server can tell which match.
    var refetches: Bool { request.fetchLimit > 0 || request.fetchOffset > 0 || searchesText }

    /// - Throws: An error that names what the request lacks, or the key that is no order or section.
    init(_ request: NSFetchRequestBase, sectionNameKeyPath: String?, _ context: NSManagedObjectContext) throws {
        guard let copy = request.copy() as? NSFetchRequestBase else {
            throw ModelKeyPath.error("The fetch request can't be copied.")
        }
        guard let descriptors = copy.sortDescriptors else {
            throw ModelKeyPath.error(
                "A fetched results controller needs sort descriptors; the fetch request for "
                    + "\(copy.entityName ?? "no entity") has none.")
        }
        guard copy.resultType != .countResultType else {
            throw ModelKeyPath.error("A fetched results controller can't have a count as its results.")
        }
        let entity = try context.entity(of: copy)
        self.entity = entity
        searchesText = copy.predicate?.searchesText == true
        isStatic = copy.resultType == .dictionaryResultType
        dependsOnSaves = entity.subtree.contains { entity in
            entity.slots.contains { $0?.property is NSDerivedAttributeDescription }
        }
        for descriptor in descriptors { try Self.check(descriptor, entity, isStatic: isStatic) }
        order = SortOrder(descriptors, entity)
        naming = try sectionNameKeyPath.map { try SectionNaming($0, entity) }
        // A change is placed by the values that the results were sorted by, so these must not be read again.
        copy.keepsRows = true
        self.request = copy
    }

    private static func check(_ descriptor: NSSortDescriptor, _ entity: EntityLayout, isStatic: Bool) throws {
        if let error = descriptor.formatError { throw error }
        guard let key = descriptor.key, !isStatic else { return }
        let end = try ModelKeyPath.resolve(key, entity, purpose: "the order of a fetch")
        guard end.isModeled else {
            throw ModelKeyPath.error("The fetch can't be sorted by '\(key)': \(entity.name) has no such property.")
        }
        guard end.slot?.isTransient != true else {
            throw ModelKeyPath.error(
                "The fetch can't be sorted by '\(key)': it is transient, so it isn't in the store.")
        }
    }

    /// Whether the request is about an object's entity and store.
    func concerns(_ object: NSManagedObject, _ context: NSManagedObjectContext) -> Bool {
        let isKind = request.includesSubentities ? object.layout.isKind(of: entity) : object.layout === entity
        guard isKind, let affected = request.affectedStores else { return isKind }
        guard let store = object.table?.store ?? context.identities.assignedStores[object.reference] else {
            return true
        }
        return affected.contains { $0 === store }
    }

    /// Whether an object is one of the results, as it is now. With full text search any may be.
    func matches(_ object: NSManagedObject) -> Bool {
        searchesText || (request.predicate.map { $0.evaluate(with: object) } ?? true)
    }

    /// Fetches.
    func fetch(in context: NSManagedObjectContext) throws -> [AnyObject] {
        if isStatic { return try request.anyResults(in: context).map { DictionaryResult($0) } }
        if OverriddenMethod.fetch.isOverridden(by: type(of: context)) {
            return try request.anyResults(in: context).map { result in
                // What is followed are the objects, whatever the controller presents.
                (result as? NSManagedObjectID).map { context.object(with: $0) } ?? result as AnyObject
            }
        }
        return try context.fetchObjects(request, entity)
    }
}
