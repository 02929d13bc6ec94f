#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// A store that is shown, and how to reach its objects. Safe to use from any thread.
struct InspectedStore: Sendable {
    /// Called for each request: a program may replace its coordinator.
    let currentCoordinator: @Sendable () throws -> NSPersistentStoreCoordinator
    /// Where the model came from, for people.
    let modelOrigin: String
    let isWritable: Bool
    /// The classes that the model names, by entity, where they are replaced by one of this program.
    var classNames: [String: String] = [:]

    /// Runs a block with a context of its own, which sees the store as it is now.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (StoreReader) throws -> Value
    ) async throws -> Value {
        let coordinator = try currentCoordinator()
        guard let store = coordinator.persistentStores.first else {
            throw InspectorError(.serviceUnavailable, "The database has no open store at the moment.")
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.name = "inspector"
        return try await context.perform {
            try body(StoreReader(context: context, coordinator: coordinator, store: store))
        }
    }

    /// The file of the first store that has one in SQLite's format.
    func databaseURL() throws -> URL? {
        try currentCoordinator().persistentStores.first { $0.type == NSSQLiteStoreType }?.url
    }

    /// Where the first store is that can be checked: a file in SQLite's format, or a store on a server.
    func checkableURL() throws -> URL? {
        try currentCoordinator().persistentStores.first { store in
            store.type == NSSQLiteStoreType || store.url.map { StoreAddress(url: $0).server != nil } == true
        }?.url
    }
}

/// A context and what it reads; used on the context's queue alone.
struct StoreReader {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore

    var model: NSManagedObjectModel { coordinator.managedObjectModel }

    /// The entity named `name`.
    func entity(_ name: String) throws -> NSEntityDescription {
        guard let entity = model.entitiesByName[name] else {
            throw InspectorError(.notFound, "The model has no entity named \(name).")
        }
        return entity
    }

    /// The object that a request names by `Entity/p12`, or by its URI.
    func object(_ name: String) throws -> NSManagedObject {
        for id in objectIDs(named: name) {
            if let object = try object(id) { return object }
        }
        throw InspectorError(.notFound, "There is no object \(ObjectName.short(name)).")
    }

    /// The objects that names mean in the first store, with few fetches; those that it doesn't have are left out.
    func objects(named names: [String]) throws -> [String: NSManagedObject] {
        let ids = names.map { ($0, objectIDs(named: $0).first) }
        var objects: [NSManagedObjectID: NSManagedObject] = [:]
        let entities = Dictionary(grouping: ids.compactMap(\.1), by: { $0.entity.displayName })
        for (entity, ids) in entities {
            for start in stride(from: 0, to: ids.count, by: Self.mostIdentifiers) {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                let piece = Array(ids[start..<min(start + Self.mostIdentifiers, ids.count)])
                request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [piece])
                for object in try context.fetch(request) { objects[object.objectID] = object }
            }
        }
        return Dictionary(
            ids.compactMap { name, id in id.flatMap { objects[$0] }.map { (name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Identifiers that one fetch names.
    private static let mostIdentifiers = 500

    /// The identifier that `Entity/p12` or a URI names; nil where it names none.
    func objectID(named name: String) throws -> NSManagedObjectID? {
        let ids = objectIDs(named: name)
        return try ids.first { try object($0) != nil } ?? ids.first
    }

    /// The identifier with a number in the first store; nil for a number that can't be.
    func objectID(numbered number: Int64, of entity: NSEntityDescription) -> NSManagedObjectID? {
        objectIDs(named: "\(entity.displayName)/p\(number)").first
    }

    /// The highest number of an object of an entity; 0 where it has none.
    func highestNumber(of entity: NSEntityDescription) throws -> Int64 {
        let highest = NSFetchRequest<NSManagedObjectID>(entityName: entity.displayName)
        highest.resultType = .managedObjectIDResultType
        highest.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: false)]
        highest.fetchLimit = 1
        let name = try context.fetch(highest).first?.inspectorName ?? ""
        return Int64(name.drop { $0 != "/" }.dropFirst(2)) ?? 0
    }

    /// The identifier that a name may mean in each store.
    private func objectIDs(named name: String) -> [NSManagedObjectID] {
        coordinator.persistentStores.compactMap { store in
            ObjectName.uri(name, storeIdentifier: store.identifier ?? "").flatMap { URL(string: $0) }
                .flatMap(coordinator.managedObjectID(forURIRepresentation:))
        }
    }

    /// The object with an identifier; nil for one that is gone. The identifier may name an entity that the object's own
    /// inherits from.
    func object(_ id: NSManagedObjectID) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: id.entity.displayName)
        request.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
        request.fetchLimit = 1
        return try context.fetch(request).first
    }
}

extension NSManagedObject {
    /// The name of the object in requests and answers, such as `Book/p12`.
    var inspectorName: String { objectID.inspectorName }
}

extension NSManagedObjectID {
    var inspectorName: String { ObjectName.short(uriRepresentation().absoluteString) }
}
#endif
