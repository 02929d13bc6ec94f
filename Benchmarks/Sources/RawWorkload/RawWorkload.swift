public import Bookshelf
public import Foundation
import RawSQLite

/// The baseline: the workload through the C functions of `RawSQLite`.
public final class RawWorkload: Implementation {
    public let name = "raw"
    public let settings = "page cache and memory map: SQLite's default; no mutex"

    private let folder: StoreFolder
    private let bookCount: Int
    private let library: () -> Library
    private lazy var inputs = RawInputs(library())
    private lazy var lookups = Library.lookups(bookCount: bookCount, order: lookupOrder)
    private lazy var lookupIDs = lookups.map { Int64($0) + 1 }
    private let lookupOrder: LookupOrder
    private var shared: OpaquePointer?

    /// - Parameter library: makes or answers the generated data; called only by operations that write it.
    public init(
        folder: URL, bookCount: Int, lookupOrder: LookupOrder = .shuffled, library: @escaping () -> Library
    ) throws {
        self.lookupOrder = lookupOrder
        self.folder = try StoreFolder(url: folder, name: name)
        self.bookCount = bookCount
        self.library = library
    }

    deinit {
        rawStoreClose(shared)
    }

    public func buildStore() throws {
        guard !folder.hasFullStore else { return }
        try folder.removeFullStore()
        let store = try open(folder.fullStore)
        defer { rawStoreClose(store) }
        let measurement = inputs.withInput { input in
            withUnsafePointer(to: input) { rawInsert(store, $0, true) }
        }
        try check(measurement, store)
        try folder.markFullStoreComplete()
    }

    public func run(_ operation: Bookshelf.Operation) throws -> Bookshelf.Measurement {
        let store = try store(for: operation)
        defer { if store != shared { rawStoreClose(store) } }
        let measurement = measure(operation, store)
        try check(measurement, store)
        return Bookshelf.Measurement(
            wall: measurement.wall, cpu: measurement.cpu, result: result(operation, measurement.values))
    }

    private func measure(_ operation: Bookshelf.Operation, _ store: OpaquePointer) -> RawMeasurement {
        switch operation {
        case .insert, .insertTags:
            inputs.withInput { input in
                withUnsafePointer(to: input) { rawInsert(store, $0, operation == .insertTags) }
            }
        case .fetchTouch: rawFetchTouch(store)
        case .fetchIDs, .fetchFaults: rawFetchIDs(store)
        case .byKey: byKey(store)
        case .byIDMiss: rawByID(store, lookupIDs, Int64(lookupIDs.count), false)
        case .byIDHit: rawByID(store, lookupIDs, Int64(lookupIDs.count), true)
        case .predicate: rawPredicate(store)
        case .traverse: rawTraverse(store, false)
        case .traversePrefetch: rawTraverse(store, true)
        case .update: rawUpdate(store)
        case .delete: rawDelete(store)
        case .aggregate: rawAggregate(store, Int64(bookCount / 10))
        case .saveSmall: rawSaveSmall(store, inputs.extraBooks, Int64(inputs.extraBooks.count))
        case .match: rawMatch(store, "cafe")
        case .import: rawImport(store, inputs.importedBooks, Int64(inputs.importedBooks.count))
        case .screen: screen(store)
        case .walk: walk(store)
        case .merge: rawMerge(store)
        case .cascade: rawCascade(store, Int64(Library.cascadeStep))
        }
    }

    private func byKey(_ store: OpaquePointer) -> RawMeasurement {
        let keys = lookups.map { strdup(BookRecord.isbn(number: $0)) }
        defer { for key in keys { free(key) } }
        return rawByKey(store, keys.compactMap { UnsafePointer($0) }, Int64(keys.count))
    }

    private func screen(_ store: OpaquePointer) -> RawMeasurement {
        let offsets = Library.screenOffsets(bookCount: bookCount).map { Int64($0) }
        return rawScreen(store, offsets, Int64(offsets.count), Int64(Library.screenRows))
    }

    private func walk(_ store: OpaquePointer) -> RawMeasurement {
        let starts = Library.walkStarts(bookCount: bookCount).map { Int64($0) + 1 }
        return rawWalk(store, starts, Int64(starts.count), Library.walkChoices(), Int64(Library.walkLength))
    }

    private func result(_ operation: Bookshelf.Operation, _ values: (Int64, Int64, Int64)) -> String {
        switch operation {
        case .predicate, .delete, .merge: "\(values.0):\(values.1)"
        case .aggregate, .import, .cascade: "\(values.0):\(values.1):\(values.2)"
        default: "\(values.0)"
        }
    }

    private func store(for operation: Bookshelf.Operation) throws -> OpaquePointer {
        switch operation.storeState {
        case .empty: return try open(folder.emptyScratchStore())
        case .copy: return try open(folder.copiedScratchStore())
        case .shared:
            if let shared { return shared }
            let store = try open(folder.fullStore)
            shared = store
            return store
        }
    }

    private func open(_ url: URL) throws -> OpaquePointer {
        var store: OpaquePointer?
        let code = rawStoreOpen(url.path, &store)
        guard let store else { throw RawError(code: Int(code), message: "out of memory") }
        guard code == 0 else {
            defer { rawStoreClose(store) }
            throw RawError(code: Int(code), message: String(cString: rawStoreMessage(store)))
        }
        return store
    }

    private func check(_ measurement: RawMeasurement, _ store: OpaquePointer) throws {
        guard measurement.code == 0 else {
            throw RawError(code: Int(measurement.code), message: String(cString: rawStoreMessage(store)))
        }
    }
}
