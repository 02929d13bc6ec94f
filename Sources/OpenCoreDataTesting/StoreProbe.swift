import Foundation
import OpenCoreData

/// A store while it is checked.
final class StoreProbe {
    private let check: String
    private let open: StoreContract.Opener
    private(set) var coordinator: NSPersistentStoreCoordinator

    init(check: String, open: @escaping StoreContract.Opener) throws {
        self.check = check
        self.open = open
        coordinator = try open(ContractModel.make())
        try expect(coordinator.persistentStores.count == 1, "the coordinator should have one store")
    }

    var store: NSPersistentStore {
        get throws {
            guard let store = coordinator.persistentStores.first else { throw failure("there is no store") }
            return store
        }
    }

    /// Closes the store and opens its location again.
    func reopen() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        coordinator = try open(ContractModel.make())
    }

    // MARK: Contexts

    /// Runs a block with a new context of its own.
    @discardableResult
    func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    /// Makes objects in a context of their own and saves them.
    func save(_ body: (NSManagedObjectContext) throws -> Void) throws {
        try inContext { context in
            try body(context)
            try context.save()
        }
    }

    /// Makes an object.
    @discardableResult
    func make(_ entity: String, _ values: [String: Any?] = [:], in context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// Fetches objects, sorted by a key if there is one.
    func fetch(
        _ entity: String, _ predicate: NSPredicate? = nil, by key: String? = nil, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try context.fetch(request)
    }

    /// Fetches the one object that there should be.
    func one(_ entity: String, _ predicate: NSPredicate? = nil, in context: NSManagedObjectContext) throws
        -> NSManagedObject
    {
        let found = try fetch(entity, predicate, in: context)
        try equal(found.count, 1, "the number of objects of \(entity)")
        return found[0]
    }

    /// The strings of a key of several objects, sorted.
    func names(_ objects: some Sequence<NSManagedObject>, _ key: String = "name") -> [String] {
        objects.map { $0.value(forKey: key) as? String ?? "nil" }.sorted()
    }

    /// The members of a to-many relationship.
    func members(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        switch object.value(forKey: key) {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    // MARK: Expectations

    func expect(_ condition: Bool, _ sentence: String) throws {
        if !condition { throw failure(sentence) }
    }

    func equal<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
        if found != wanted { throw failure("\(what) should be \(wanted) and is \(found)") }
    }

    /// Expects an error, and returns it.
    @discardableResult
    func fails(_ what: String, _ body: () throws -> Void) throws -> any Error {
        do {
            try body()
        } catch {
            return error
        }
        throw failure("\(what) should be an error")
    }

    private func failure(_ sentence: String) -> StoreContractFailure {
        StoreContractFailure(check: check, sentence: sentence)
    }
}
