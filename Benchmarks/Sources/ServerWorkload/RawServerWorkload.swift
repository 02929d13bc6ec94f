public import Bookshelf
public import Foundation
import RawPostgreSQL
import RawSQLite
import RawWorkload

/// The baseline on a PostgreSQL server: the workload through the C functions of `RawPostgreSQL`.
public final class RawServerWorkload: Implementation {
    public let name = "raw-postgresql"
    public let settings = "libpq, one connection, binary, prepared statements, arrays, pipelines"

    private let databases: ServerDatabases
    private let bookCount: Int
    private let library: () -> Library
    private lazy var inputs = RawInputs(library())
    private lazy var lookups = Library.lookups(bookCount: bookCount, order: lookupOrder)
    private let lookupOrder: LookupOrder
    private var shared: ServerConnection?

    /// - Parameters:
    ///   - server: The URL of any database of the server, by a role that may make databases.
    ///   - library: makes or answers the generated data; called only by operations that write it.
    public init(server: URL, bookCount: Int, lookupOrder: LookupOrder, library: @escaping () -> Library) {
        databases = ServerDatabases(server: server, name: name, bookCount: bookCount)
        self.bookCount = bookCount
        self.lookupOrder = lookupOrder
        self.library = library
    }

    public func buildStore() throws {
        guard try !databases.hasFullStore else { return }
        try databases.removeFullStore()
        do {
            let connection = try open(databases.fullStore)
            try connection.check(insert(connection, withTags: true).code)
        }
        try databases.markFullStoreComplete()
    }

    public func takesPart(in operation: Bookshelf.Operation) -> Bool {
        switch operation {
        case .insert, .insertTags, .fetchTouch, .byKey, .predicate, .traverse, .traversePrefetch, .update, .delete,
            .aggregate, .saveSmall:
            true
        default: false
        }
    }

    public func run(_ operation: Bookshelf.Operation) throws -> Bookshelf.Measurement {
        let connection = try connection(for: operation)
        let measurement = measure(operation, connection)
        try connection.check(measurement.code)
        return Bookshelf.Measurement(
            wall: measurement.wall, cpu: measurement.cpu, result: result(operation, measurement.values))
    }

    private func measure(_ operation: Bookshelf.Operation, _ connection: ServerConnection) -> RawMeasurement {
        let server = connection.pointer
        switch operation {
        case .insert, .insertTags: return insert(connection, withTags: operation == .insertTags)
        case .fetchTouch: return rawServerFetchTouch(server)
        case .byKey: return byKey(server)
        case .predicate: return rawServerPredicate(server)
        case .traverse: return rawServerTraverse(server, false)
        case .traversePrefetch: return rawServerTraverse(server, true)
        case .update: return rawServerUpdate(server)
        case .delete: return rawServerDelete(server)
        case .aggregate: return rawServerAggregate(server, Int64(bookCount / 10))
        case .saveSmall: return rawServerSaveSmall(server, inputs.extraBooks, Int64(inputs.extraBooks.count))
        default: return RawMeasurement()
        }
    }

    private func insert(_ connection: ServerConnection, withTags: Bool) -> RawMeasurement {
        inputs.withInput { input in
            withUnsafePointer(to: input) { rawServerInsert(connection.pointer, $0, withTags) }
        }
    }

    private func byKey(_ server: OpaquePointer) -> RawMeasurement {
        let keys = lookups.map { strdup(BookRecord.isbn(number: $0)) }
        defer { for key in keys { free(key) } }
        return rawServerByKey(server, keys.compactMap { UnsafePointer($0) }, Int64(keys.count))
    }

    private func result(_ operation: Bookshelf.Operation, _ values: (Int64, Int64, Int64)) -> String {
        switch operation {
        case .predicate, .delete: "\(values.0):\(values.1)"
        case .aggregate: "\(values.0):\(values.1):\(values.2)"
        default: "\(values.0)"
        }
    }

    private func connection(for operation: Bookshelf.Operation) throws -> ServerConnection {
        switch operation.storeState {
        case .empty: return try open(databases.emptyScratchStore())
        case .copy: return try open(databases.copiedScratchStore())
        case .shared:
            if let shared { return shared }
            let connection = try open(databases.fullStore)
            shared = connection
            return connection
        }
    }

    private func open(_ database: URL) throws -> ServerConnection {
        let connection = try ServerConnection(database)
        try connection.check(rawServerMakeSchema(connection.pointer))
        return connection
    }
}
