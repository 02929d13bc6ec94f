import Foundation
import OpenCoreData
import Synchronization
import TestSupport

/// A library store that is used through plans and queries, below contexts, and that notes its statements.
final class StoreFixture {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let store: SQLiteStore
    private let statements: StatementLog

    final class StatementLog: Sendable {
        private let texts = Mutex<[String]>([])

        func append(_ string: String) { texts.withLock { $0.append(string) } }

        func take() -> [String] {
            texts.withLock { texts in
                defer { texts.removeAll() }
                return texts
            }
        }
    }

    struct WrongStore: Error {}

    init(
        model: NSManagedObjectModel = LibraryModel.make(), folder: TemporaryFolder? = nil,
        options: [AnyHashable: Any] = [:]
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        url = self.folder.file("Library.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let log = StatementLog()
        statements = log
        let recorder: @Sendable (String) -> Void = { log.append($0) }
        var options = options
        options[SQLiteStore.statementRecorderOption] = recorder
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        guard let store = store as? SQLiteStore else { throw WrongStore() }
        self.store = store
    }

    func layout(_ name: String) throws -> EntityLayout {
        guard let layout = coordinator.layout[name] else { throw WrongStore() }
        return layout
    }

    /// Runs a block and returns the statements that the store ran during it.
    func statements(_ body: () throws -> Void) rethrows -> [String] {
        _ = statements.take()
        try body()
        return statements.take()
    }

    // MARK: Plans

    /// An insert of a row with some values.
    func insert(_ entity: String, _ reference: Int64, _ values: [String: PropertyValue]) throws -> RowChange {
        let layout = try layout(entity)
        var all = ContiguousArray<PropertyValue>(repeating: .null, count: layout.slotCount)
        for (name, value) in values {
            guard let slot = layout.slot(named: name) else { throw WrongStore() }
            all[slot.index] = value
        }
        return RowChange(entity: layout, reference: reference, version: 0, values: all)
    }

    /// An update of some values of a row.
    func update(
        _ entity: String, _ reference: Int64, version: Int64, _ values: [String: PropertyValue]
    ) throws -> RowChange {
        var change = try insert(entity, reference, values)
        change.version = version
        change.slots = values.keys.compactMap { change.entity.slot(named: $0)?.index }.sorted()
        return change
    }

    func delete(_ entity: String, _ reference: Int64, version: Int64) throws -> RowChange {
        RowChange(entity: try layout(entity), reference: reference, version: version)
    }

    /// Carries out a plan that must succeed.
    @discardableResult
    func save(_ build: (inout SavePlan) throws -> Void) throws -> [DerivedChange] {
        var plan = SavePlan()
        try build(&plan)
        guard case .saved(let derived, _) = try store.execute(plan) else { throw WrongStore() }
        return derived
    }

    /// Carries out a plan that must not.
    func conflicts(
        _ build: (inout SavePlan) throws -> Void
    ) throws -> (rows: [RowConflict], constraints: [ConstraintViolation]) {
        var plan = SavePlan()
        try build(&plan)
        guard case .conflicts(let rows, let constraints) = try store.execute(plan) else { throw WrongStore() }
        return (rows, constraints)
    }

    // MARK: Queries

    func rows(
        _ entity: String, _ predicate: NSPredicate? = nil, sort: [NSSortDescriptor] = [], limit: Int = 0,
        offset: Int = 0
    ) throws -> RowSlab {
        var query = StoreQuery(entity: try layout(entity))
        query.predicate = predicate
        query.sortDescriptors = sort
        query.limit = limit
        query.offset = offset
        return try store.fetchRows(query)
    }

    func references(
        _ entity: String, _ predicate: NSPredicate? = nil, sort: [NSSortDescriptor] = [], limit: Int = 0,
        offset: Int = 0
    ) throws -> [Int64] {
        let slab = try rows(entity, predicate, sort: sort, limit: limit, offset: offset)
        return (0..<slab.count).map { slab.reference($0) }
    }

    func relationship(_ entity: String, _ name: String) throws -> RelationshipLayout {
        guard let relationship = try layout(entity).relationship(named: name) else { throw WrongStore() }
        return relationship
    }

    func reference(_ entity: String, _ reference: Int64) throws -> PropertyValue {
        .reference(ObjectReference(reference: reference, entityIndex: Int32(try layout(entity).index)))
    }

    func shell(_ sql: String) throws -> String { try SQLiteShell.run(sql, on: url) }
}
