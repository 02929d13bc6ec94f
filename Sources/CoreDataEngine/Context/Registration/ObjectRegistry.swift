import EngineShims
import Synchronization

/// Which objects a context knows, one for each identity, without keeping them alive.
///
/// Objects hold their table, and the table the registry, but none of them the context: an object may outlive its
/// context and then finds `context` nil. An object's `deinit` may run on any thread; it takes the lock, so a look-up
/// that holds the lock never sees freed memory.
// @unchecked Sendable because the pages are only touched under `lock`; the rest is used on the context's queue alone.
final class ObjectRegistry: @unchecked Sendable {
    /// The context; set to `nil` by the context's `deinit`, on which nothing else can be running.
    @exclusivity(unchecked) unowned(unsafe) var context: NSManagedObjectContext?
    /// Whether a fault that has its row has to ask how old that is.
    @exclusivity(unchecked) var watchesAge = false
    /// Whether the context sees each change of objects whose insertion is yet to be announced, which changes no list.
    @exclusivity(unchecked) var seesEachChange = true
    /// Keeps the model alive while there are objects.
    let model: NSManagedObjectModel?
    /// The slot whose value `validateValue` is being asked about.
    @exclusivity(unchecked) var validating: SlotLayout?
    fileprivate let lock = Mutex(())
    @exclusivity(unchecked) private var tables: [TableKey: RegistryTable] = [:]
    /// The table that was requested last, and what for.
    @exclusivity(unchecked) private var lastTable: RegistryTable?
    @exclusivity(unchecked) private var lastKey: TableKey?
    @exclusivity(unchecked) private var temporaryTable: RegistryTable?
    // What the last identifier that was looked up had, and the table that it led to: identifiers come in rows of one
    // entity and store. Unretained: the table is in `tables`, and keeps the store and the model.
    @exclusivity(unchecked) private var recentLayout: UnsafeRawPointer?
    @exclusivity(unchecked) private var recentIdentity: UnsafeRawPointer?
    @exclusivity(unchecked) private var recentTable: Unmanaged<RegistryTable>?

    private struct TableKey: Hashable {
        let storeIdentity: ObjectIdentifier
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
        let key = TableKey(storeIdentity: ObjectIdentifier(store.storeIdentity), root: root.rootIndex)
        if let lastTable, lastKey == key { return lastTable }
        let table = tables[key] ?? RegistryTable(registry: self, store: store)
        tables[key] = table
        lastTable = table
        lastKey = key
        return table
    }

    /// The table of an identifier whose store and entity this context has met.
    func knownTable(for id: NSManagedObjectID) -> RegistryTable? {
        guard id.reference >= 0, id.layout.modelIdentifier == modelIdentifier else { return nil }
        let key = TableKey(storeIdentity: ObjectIdentifier(id.storeIdentity), root: id.layout.rootIndex)
        guard let table = tables[key] else { return nil }
        recentLayout = UnsafeRawPointer(Unmanaged.passUnretained(id.layout).toOpaque())
        recentIdentity = UnsafeRawPointer(Unmanaged.passUnretained(id.storeIdentity).toOpaque())
        recentTable = Unmanaged.passUnretained(table)
        return table
    }

    /// The registered object with an identifier, if it is of the same entity and store as the last one. `nil` says
    /// nothing.
    @inline(__always)
    func recentObject(for id: NSManagedObjectID) -> NSManagedObject? {
        guard let recentTable, recentLayout == UnsafeRawPointer(Unmanaged.passUnretained(id.layout).toOpaque()),
            recentIdentity == UnsafeRawPointer(Unmanaged.passUnretained(id.storeIdentity).toOpaque()),
            id.reference >= 0
        else { return nil }
        let retained = recentTable._withUnsafeGuaranteedRef { table in
            lock.withLock { _ in
                RegistryTable.retain(table.pages[id.reference])
            }
        }
        return RegistryTable.object(retained)
    }

    private func forgetRecent() {
        recentTable = nil
        recentLayout = nil
        recentIdentity = nil
    }

    /// The table in which an identifier's object would be.
    func table(for id: NSManagedObjectID) -> RegistryTable? {
        if id.reference < 0 { return temporary }
        return id.persistentStore.map { table(store: $0, root: id.layout.root) }
    }

    /// The root entities, by `EntityLayout.rootIndex`, whose objects were looked for, alive or not.
    var roots: Set<Int> { Set(tables.keys.map(\.root)) }

    /// Whether no object was ever looked for.
    var isUnused: Bool { tables.isEmpty && temporaryTable == nil }

    /// Whether no object is registered.
    var isEmpty: Bool {
        isUnused
            || lock.withLock { _ in
                temporaryTable?.pages.count ?? 0 == 0 && tables.values.allSatisfy { $0.pages.count == 0 }
            }
    }

    /// All objects that are alive, in no order.
    func objects() -> [NSManagedObject] {
        if isUnused { return [] }
        let all = (temporaryTable.map { [$0] } ?? []) + tables.values
        let retained = lock.withLock { _ in
            var result: [UInt] = []
            for table in all {
                // Pages are no sequence.
                // swift-format-ignore: ReplaceForEachWithForLoop
                table.pages.forEach { word in
                    let retained = RegistryTable.retain(word)
                    if retained != 0 { result.append(retained) }
                }
            }
            return result
        }
        return retained.compactMap { RegistryTable.object($0) }
    }

    /// What is wrong with the tables, for tests; empty when each registered object is where it should be and knows it.
    func checkInvariants() -> [String] {
        var broken: [String] = []
        for (key, table) in tables where table.store.map({ ObjectIdentifier($0.storeIdentity) }) != key.storeIdentity {
            broken.append("the table of root entity \(key.root) is listed for another store")
        }
        if let lastTable, let lastKey, tables[lastKey] !== lastTable {
            broken.append("the last table isn't one of the tables")
        }
        if let recentTable, !tables.values.contains(where: { $0 === recentTable.takeUnretainedValue() }) {
            broken.append("the table of the last look-up isn't one of the tables")
        }
        let all = (temporaryTable.map { [$0] } ?? []) + tables.values
        // Kept until the lock is free again, because an object that is released here takes the lock.
        var met: [NSManagedObject] = []
        lock.withLock { _ in
            for table in all {
                broken += table.pages.checkInvariants()
                table.pages.forEachEntry { key, word in
                    // One that is going away leaves its place next.
                    guard let object = RegistryTable.object(RegistryTable.retain(word)) else { return }
                    met.append(object)
                    if object.table !== table { broken.append("\(key) is in a table that its object doesn't know") }
                    if object.reference != (table.store == nil ? ~key : key) {
                        broken.append("the object \(object.reference) is registered as \(key)")
                    }
                    if object.table?.registry !== self { broken.append("\(key) is an object of another context") }
                }
            }
        }
        return withExtendedLifetime(met) { broken }
    }

    /// Forgets the context and breaks the tie between registry and tables. Objects that are still held stay usable.
    func disconnect() {
        context = nil
        tables = [:]
        lastTable = nil
        lastKey = nil
        temporaryTable = nil
        forgetRecent()
    }
}

/// The objects of one root entity's tree in one store.
final class RegistryTable {
    let registry: ObjectRegistry
    /// `nil` for the table of objects that were never saved.
    let store: NSPersistentStore?
    /// The same as what keeps rows.
    let rowStore: (any RowStore)?
    /// Addresses of objects; touched under the registry's lock alone.
    @exclusivity(unchecked) fileprivate var pages = ReferencePages()
    /// A store of the application's own, which wants to know what contexts register.
    private let observer: NSIncrementalStore?

    init(registry: ObjectRegistry, store: NSPersistentStore?) {
        self.registry = registry
        self.store = store
        rowStore = store as? any RowStore
        observer = store as? NSIncrementalStore
    }

    /// Whether rows that are likely to be needed next may be asked for along with one.
    var readsAhead: Bool { observer == nil }

    /// Where an object's entry is: numbers of objects that were never saved are negative and run away from zero.
    @inline(__always)
    private static func key(_ reference: Int64) -> Int64 { reference < 0 ? ~reference : reference }

    /// The registered object with a reference, if one is alive.
    func object(for reference: Int64) -> NSManagedObject? {
        Self.object(registry.lock.withLock { _ in Self.retain(pages[Self.key(reference)]) })
    }

    /// The registered object with a reference, if it is alive and one strong reference is all that keeps it.
    func objectHeldOnce(for reference: Int64) -> NSManagedObject? {
        let retained: UInt = registry.lock.withLock { _ in
            var word = pages[Self.key(reference)]
            guard word != 0 else { return 0 }
            let isHeldOnce = withUnsafeMutablePointer(to: &word) { pointer in
                pointer.withMemoryRebound(to: NSManagedObject.self, capacity: 1) {
                    isKnownUniquelyReferenced(&$0.pointee)
                }
            }
            return isHeldOnce ? Self.retain(word) : 0
        }
        return Self.object(retained)
    }

    func register(_ object: NSManagedObject) {
        put(object)
        observer?.managedObjectContextDidRegisterObjects(with: [identifier(of: object)])
    }

    /// Registers an object without saying so to the store.
    func put(_ object: NSManagedObject) {
        registry.lock.withLock { _ in pages[Self.key(object.reference)] = Self.word(object) }
    }

    func unregister(_ object: NSManagedObject) {
        let key = Self.key(object.reference)
        let wasRegistered = registry.lock.withLock { _ in
            guard pages[key] == Self.word(object) else { return false }
            pages[key] = 0
            return true
        }
        guard wasRegistered, let observer else { return }
        observer.managedObjectContextDidUnregisterObjects(with: [identifier(of: object)])
    }

    /// A new identifier: the object may be going away, so nothing of it is kept.
    private func identifier(of object: NSManagedObject) -> NSManagedObjectID {
        NSManagedObjectID(layout: object.layout, reference: object.reference, store: store)
    }

    /// Puts the objects for rows of a slab into memory, in order: registered ones, and new ones made by `make` for the
    /// others.
    ///
    /// Objects are made outside of the lock: initializers are the application's, and may do anything.
    ///
    /// - Returns: Whether any was registered before.
    func fill(
        _ buffer: UnsafeMutableBufferPointer<NSManagedObject>, from slab: RowSlab, rows: Range<Int>,
        with materializer: MaterializingEntity, make: (Int) -> NSManagedObject
    ) -> Bool {
        guard let destination = buffer.baseAddress else { return false }
        if rows.count == 1 { return fillOne(destination, from: slab, row: rows.lowerBound, make: make) }
        var fresh: [NSManagedObjectID] = []
        var hasKnown = false
        // One lock for many objects, but not for so many that another thread waits long to release one.
        for start in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: RowsInMaking.limit) {
            var part = RowsInMaking(
                table: self, slab: slab, first: start, destination: destination + (start - rows.lowerBound))
            let count = min(RowsInMaking.limit, rows.upperBound - start)
            takeKnown(&part, count: count)
            if part.missing != 0 { makeMissing(&part, materializer, make) }
            if part.missing.nonzeroBitCount != count { hasKnown = true }
            if observer != nil { part.forEachMissing { fresh.append(identifier(of: $1)) } }
        }
        if let observer, !fresh.isEmpty { observer.managedObjectContextDidRegisterObjects(with: fresh) }
        return hasKnown
    }

    /// The same for a single row, as most fetches by a key have.
    private func fillOne(
        _ pointer: UnsafeMutablePointer<NSManagedObject>, from slab: RowSlab, row: Int, make: (Int) -> NSManagedObject
    ) -> Bool {
        if let known = object(for: slab.reference(row)) {
            pointer.initialize(to: known)
            return true
        }
        let made = make(row)
        register(made)
        pointer.initialize(to: made)
        return false
    }

    /// Writes the registered objects to memory, and records the rows that have none.
    @inline(__always)
    private func takeKnown(_ part: inout RowsInMaking, count: Int) {
        part.missing = registry.lock.withLock { _ in
            var missing: UInt64 = 0
            for offset in 0..<count {
                let reference = part.slab.reference(part.first &+ offset)
                if let known = Self.object(Self.retain(pages[Self.key(reference)])) {
                    (part.destination + offset).initialize(to: known)
                } else {
                    missing |= 1 &<< UInt64(truncatingIfNeeded: offset)
                }
            }
            return missing
        }
    }

    /// Makes the objects that are missing, and registers them.
    @inline(__always)
    private func makeMissing(
        _ part: inout RowsInMaking, _ materializer: MaterializingEntity, _ make: (Int) -> NSManagedObject
    ) {
        materializer.rows = part
        materializer.wasInterrupted = false
        var rest = part.missing
        while rest != 0 {
            let offset = rest.trailingZeroBitCount
            rest &= rest &- 1
            (part.destination + offset).initialize(to: make(part.first &+ offset))
            if materializer.wasInterrupted { return makeOneByOne(&part, rest, make) }
        }
        if registerMade(part) { unite(&part) }
    }

    /// Registers the objects that were created for the missing rows.
    ///
    /// Reads them as words of memory, without using the objects or changing reference counts.
    ///
    /// - Returns: Whether another entry was found in place of one, which may be the address of an object that is being
    ///   released.
    @inline(__always)
    private func registerMade(_ part: RowsInMaking) -> Bool {
        let words = UnsafeRawPointer(part.destination)
        return registry.lock.withLock { _ in
            var former: UInt64 = 0
            var rest = part.missing
            while rest != 0 {
                let offset = rest.trailingZeroBitCount
                rest &= rest &- 1
                let reference = part.slab.reference(part.first &+ offset)
                former |= pages.exchange(
                    Self.key(reference),
                    words.load(fromByteOffset: offset &* MemoryLayout<UInt64>.size, as: UInt64.self))
            }
            return former != 0
        }
    }

    /// Keeps one object of a row that a slab has more than once.
    @inline(never)
    private func unite(_ part: inout RowsInMaking) {
        var rest = part.missing
        while rest != 0 {
            let offset = rest.trailingZeroBitCount
            rest &= rest &- 1
            guard let known = object(for: part.slab.reference(part.first + offset)), known !== part.destination[offset]
            else { continue }
            part.missing &= ~(1 &<< UInt64(truncatingIfNeeded: offset))
            part.destination[offset] = known
        }
    }

    /// As `makeMissing` for the rows that are left, after an initializer looked other objects up: the next may register
    /// some of those that were missing, which are not missing then.
    @inline(never)
    private func makeOneByOne(_ part: inout RowsInMaking, _ rest: UInt64, _ make: (Int) -> NSManagedObject) {
        var rest = rest
        // The one whose initializer it was.
        part.register(before: .max, except: rest)
        while rest != 0 {
            let offset = rest.trailingZeroBitCount
            rest &= rest &- 1
            let row = part.first + offset
            if let known = object(for: part.slab.reference(row)) {
                part.missing &= ~(1 &<< UInt64(truncatingIfNeeded: offset))
                (part.destination + offset).initialize(to: known)
            } else {
                let made = make(row)
                put(made)
                (part.destination + offset).initialize(to: made)
            }
        }
        unite(&part)
    }

    @inline(__always)
    private static func word(_ object: NSManagedObject) -> UInt64 {
        UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    /// Takes a reference to the object at an address, unless that is going away. Called under the lock.
    ///
    /// - Returns: The address for `object`, 0 for none: the lock gives out nothing that is bound to a thread.
    @inline(__always)
    fileprivate static func retain(_ word: UInt64) -> UInt {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: UInt(word)) else { return 0 }
        // Who looks an object up reads its values next. Their memory comes while the reference is taken, which waits for the
        // object's: by-id-hit takes 5 to 24 percent less time with this, in five runs in turns.
        let row = Unmanaged<NSManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.rowWord & ~1 }
        engine_prefetch(UnsafeRawPointer(bitPattern: row))
        return UInt(bitPattern: TryRetain.retained(pointer))
    }

    /// The object whose reference `retain` took.
    @inline(__always)
    fileprivate static func object(_ retained: UInt) -> NSManagedObject? {
        UnsafeRawPointer(bitPattern: retained).map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
    }
}
