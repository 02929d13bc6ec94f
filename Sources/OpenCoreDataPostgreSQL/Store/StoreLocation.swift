#if PostgreSQL
import Foundation
import OpenCoreData

/// Where a store is or may be: a database and a schema of it.
struct StoreLocation {
    let address: PostgreSQLAddress
    let options: PostgreSQLOptions

    var schema: String { address.schema }
    var displayName: String { address.displayName }

    init(_ url: URL?, options: [AnyHashable: Any]?) throws {
        guard let url, PostgreSQLAddress.handles(url) else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadUnsupportedScheme.rawValue,
                "A PostgreSQL store needs a URL such as postgresql://host/database, not \(url?.displayName ?? "none")."
            )
        }
        address = try translatingErrors(NSPersistentStoreOpenError) { try PostgreSQLAddress(url) }
        let given = options?[PostgreSQLStore.optionsOption]
        var settings =
            given as? PostgreSQLOptions ?? (given as? PostgreSQLOptionsBox)?.options ?? PostgreSQLOptions()
        if let timeout = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue, timeout > 0 {
            settings.lockTimeout = timeout
        }
        self.options = address.settings.merged(settings)
    }

    /// Where the replicas are. Statements name the schema, so that of their URLs is not looked at.
    func replicas() throws -> [PostgreSQLAddress] { try options.replicas.map { try PostgreSQLAddress($0) } }

    /// Runs a block with a connection of its own.
    func withConnection<Result>(
        _ body: (PostgreSQLConnection, StoreLocation) throws -> Result
    ) throws -> Result {
        try translatingErrors(NSPersistentStoreOperationError) {
            let connection = try PostgreSQLConnection(address, options: options)
            defer { connection.close() }
            return try body(connection, self)
        }
    }

    var missing: CocoaError { missing("There is no store at \(displayName).") }

    /// The same for a location that can be looked at: tables that others have made are named as what they are.
    func missing(_ connection: PostgreSQLConnection) -> CocoaError {
        guard let catalog = try? ExistingCatalog(schema, connection), !catalog.tables.isEmpty else {
            return missing
        }
        let tables = catalog.tables.count == 1 ? "1 table" : "\(catalog.tables.count) tables"
        return missing(
            "There is no store at \(displayName), but \(tables) of other programs. opencoredata model import makes a model "
                + "of them; they have no history and aren't migrated.")
    }

    /// What says that a store that has to be new is there already.
    var taken: CocoaError {
        CoreDataError.make(
            CocoaError.Code.fileWriteFileExists.rawValue,
            "Another program created a store at \(displayName) in the meantime.")
    }

    private func missing(_ message: String) -> CocoaError {
        CoreDataError.make(CocoaError.Code.fileReadNoSuchFile.rawValue, message)
    }
}

/// Runs a block; an error of the server's becomes one of Core Data's with the server's as its cause.
///
/// - Parameter code: The code where the kind of error has none of its own.
func translatingErrors<Result>(_ code: Int, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as PostgreSQLError {
        throw error.cocoaError(code)
    }
}

extension PostgreSQLError {
    /// The error in Apple's terms.
    func cocoaError(_ code: Int) -> CocoaError {
        switch kind {
        case .cancelled: return CocoaError(.userCancelled)
        case .timeout, .poolTimeout, .lockTimeout:
            return CoreDataError.make(NSPersistentStoreTimeoutError, description, underlying: self)
        case .readOnly where code == NSPersistentStoreSaveError:
            return CoreDataError.make(
                CocoaError.Code.fileWriteNoPermission.rawValue, description, underlying: self)
        case .foreignKeyViolation where code == NSPersistentStoreSaveError:
            // Another program has changed or deleted a row that a changed row refers to, or that refers to it.
            return CoreDataError.make(NSPersistentStoreSaveConflictsError, description, underlying: self)
        default: return CoreDataError.make(code, description, underlying: self)
        }
    }
}
#endif
