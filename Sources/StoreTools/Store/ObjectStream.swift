import Foundation
package import OpenCoreData

/// Walks over the objects of a fetch request in pieces, so that memory does not grow with the size of the store.
package struct ObjectStream {
    /// Objects that are in memory at a time.
    package static let pieceSize = 1_000

    package let request: NSFetchRequest<NSManagedObject>
    /// Relationships to fetch along with the objects of a piece.
    package let prefetched: [String]

    package init(_ request: NSFetchRequest<NSManagedObject>, prefetching prefetched: [String] = []) {
        self.request = request
        self.prefetched = prefetched
    }

    /// Calls `body` with each object in the order of the request. The objects are gone afterwards.
    ///
    /// - Throws: What `body` throws; an error that names a damaged value that it read, or the file of an external value
    ///   which can't be read, but for one that is missing.
    package func forEach(in context: NSManagedObjectContext, _ body: (NSManagedObject) throws -> Void) throws {
        let ids = try identifiers(in: context)
        var start = 0
        while start < ids.count {
            let piece = Array(ids[start..<min(start + Self.pieceSize, ids.count)])
            for object in try objects(piece, in: context) {
                try body(object)
                try context.requireOwnValueFiles()
            }
            context.reset()
            start += piece.count
        }
    }

    private func identifiers(in context: NSManagedObjectContext) throws -> [NSManagedObjectID] {
        let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: request.entityName ?? "")
        identifiers.affectedStores = request.affectedStores
        identifiers.predicate = request.predicate
        identifiers.sortDescriptors = request.sortDescriptors
        identifiers.fetchLimit = request.fetchLimit
        identifiers.fetchOffset = request.fetchOffset
        identifiers.includesSubentities = request.includesSubentities
        identifiers.resultType = .managedObjectIDResultType
        return try context.fetch(identifiers)
    }

    private func objects(
        _ ids: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let piece = NSFetchRequest<NSManagedObject>(entityName: request.entityName ?? "")
        piece.affectedStores = request.affectedStores
        piece.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        piece.includesSubentities = request.includesSubentities
        piece.returnsObjectsAsFaults = false
        piece.relationshipKeyPathsForPrefetching = prefetched
        let fetched = try context.fetch(piece)
        if fetched.count == ids.count, zip(fetched, ids).allSatisfy({ $0.objectID == $1 }) { return fetched }
        let found = Dictionary(fetched.map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
        // Rows that another process deleted in between are left out.
        return ids.compactMap { found[$0] }
    }
}
