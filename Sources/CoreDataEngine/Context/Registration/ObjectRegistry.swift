import EngineShims
import Synchronization

/// Which objects a context knows, one for each identity, without keeping them alive.
///
/// Objects hold their table, and the table the registry, but none of them the context: an object may outlive its context
/// and then finds `context` nil. An object's `deinit` may run on any thread; it takes the lock, so a look-up that holds
/// the lock never sees freed memory.
// @unchecked Sendable because the pages are only touched under `lock`; the rest is used on the context's queue alone.
final class ObjectRegistry: @unchecked Sendable {
    /// The context; set to `nil` by the context's `deinit`, on which nothing else can be running.
    unowned(unsafe) var context: NSManagedObjectContext?
    /// Keeps the model alive while there are objects.
    let model: NSManagedObjectModel?
    /// The slot whose value `validateValue` is being asked about.
    var validating: SlotLayout?
    fileprivate let lock = Mutex(())
    private var tables: [TableKey: RegistryTable] = [:]
    private var lastTable: (key: TableKey, table: RegistryTable)?
    private var temporaryTable: RegistryTable?

    private struct TableKey: Hashable {
        let place: ObjectIdentifier
        let root: Int
    }

    /// `EntityLayout.modelIdentifier` of the model's layouts; 0 without a model.
    private let modelIdentifier: UInt32

    init(model: NSManagedObjectModel?, layout: ModelLayout? = nil) {
        self.model = model
        modelIdentifier = layout?.identifier ?? 0
    }

    /// Objects that were never saved.
    var temporary: RegistryTable {
        if let temporaryTable { return temporaryTable }
        let table = RegistryTable(registry: self, store: nil)
        temporaryTable = table
        return table
    }

    /// The table for rows of a root entity's tree in a store.
    func table(store: NSPersistentStore, root: EntityLayout) -> RegistryTable {
        let key = TableKey(place: ObjectIdentifier(store.place), root: root.index)
        if let lastTable, lastTable.key == key { return lastTable.table }
        let table = tables[key] ?? RegistryTable(registry: self, store: store)
        tables[key] = table
        lastTable = (key, table)
        return table
    }

    /// The table of an identifier whose store and entity this context has met.
    func knownTable(for id: NSManagedObjectID) -> RegistryTable? {
        guard id.reference >= 0, let place = id.place, id.layout.modelIdentifier == modelIdentifier else { return nil }
        let key = TableKey(place: ObjectIdentifier(place), root: id.layout.root.index)
        if let lastTable, lastTable.key == key { return lastTable.table }
        guard let table = tables[key] else { return nil }
        lastTable = (key, table)
        return table
    }

    /// The table in which an identifier's object would be.
    func table(for id: NSManagedObjectID) -> RegistryTable? {
        if id.reference < 0 { return temporary }
        return id.persistentStore.map { table(store: $0, root: id.layout.root) }
    }

    /// All objects that are alive, in no order.
    func objects() -> [NSManagedObject] {
        let all = (temporaryTable.map { [$0] } ?? []) + tables.values
        return lock.withLock { _ in
            var result: [NSManagedObject] = []
            for table in all {
                // Pages are no sequence.
                // swift-format-ignore: ReplaceForEachWithForLoop
                table.pages.forEach { pointer in
                    if let object = RegistryTable.retained(pointer) { result.append(object) }
                }
            }
            return SendableBox(result)
        }.value
    }

    /// Forgets the context and breaks the tie between registry and tables. Objects that are still held stay usable.
    func disconnect() {
        context = nil
        tables = [:]
        lastTable = nil
        temporaryTable = nil
    }
}

/// The objects of one root entity's tree in one store.
final class RegistryTable {
    let registry: ObjectRegistry
    /// `nil` for the table of objects that were never saved.
    let store: NSPersistentStore?
    /// A store of the application's own, which wants to know what contexts register.
    private let observer: NSIncrementalStore?
    fileprivate var pages = ReferencePages<UnsafeMutableRawPointer>()

    init(registry: ObjectRegistry, store: NSPersistentStore?) {
        self.registry = registry
        self.store = store
        observer = store as? NSIncrementalStore
    }

    /// Whether rows that are likely to be needed next may be asked for along with one.
    var readsAhead: Bool { observer == nil }

    /// Where an object's place is: numbers of objects that were never saved are negative and run away from zero.
    @inline(__always)
    private static func key(_ reference: Int64) -> Int64 { reference < 0 ? ~reference : reference }

    /// The registered object with a reference, if one is alive.
    func object(for reference: Int64) -> NSManagedObject? {
        registry.lock.withLock { _ in SendableBox(pages[Self.key(reference)].flatMap(Self.retained)) }.value
    }

    func register(_ object: NSManagedObject) {
        registry.lock.withLock { _ in
            pages[Self.key(object.reference)] = Unmanaged.passUnretained(object).toOpaque()
        }
        observer?.managedObjectContextDidRegisterObjects(with: [identifier(of: object)])
    }

    func unregister(_ object: NSManagedObject) {
        let key = Self.key(object.reference)
        let wasRegistered = registry.lock.withLock { _ in
            guard pages[key] == Unmanaged.passUnretained(object).toOpaque() else { return false }
            pages[key] = nil
            return true
        }
        guard wasRegistered, let observer else { return }
        observer.managedObjectContextDidUnregisterObjects(with: [identifier(of: object)])
    }

    /// A new identifier: the object may be going away, so nothing of it is kept.
    private func identifier(of object: NSManagedObject) -> NSManagedObjectID {
        NSManagedObjectID(layout: object.layout, reference: object.reference, store: store)
    }

    /// The objects for rows of a slab, in order: registered ones, and new ones made by `make` for the others.
    ///
    /// One lock for all of them. `make` must not look up or release objects of this context.
    func objects(for slab: RowSlab, rows: Range<Int>, make: (Int) -> NSManagedObject)
        -> ContiguousArray<NSManagedObject>
    {
        var made: [NSManagedObject] = []
        let result = ContiguousArray(unsafeUninitializedCapacity: rows.count) { buffer, initialized in
            registry.lock.withLock { _ in
                for row in rows {
                    let reference = slab.reference(row)
                    let object: NSManagedObject
                    if let known = pages[Self.key(reference)].flatMap(Self.retained) {
                        object = known
                    } else {
                        object = make(row)
                        pages[Self.key(reference)] = Unmanaged.passUnretained(object).toOpaque()
                        if observer != nil { made.append(object) }
                    }
                    buffer.initializeElement(at: initialized, to: object)
                    initialized += 1
                }
            }
        }
        if let observer, !made.isEmpty {
            observer.managedObjectContextDidRegisterObjects(with: made.map { identifier(of: $0) })
        }
        return result
    }

    fileprivate static func retained(_ pointer: UnsafeMutableRawPointer) -> NSManagedObject? {
        guard let retained = engine_try_retain(pointer) else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(retained).takeRetainedValue()
    }
}
