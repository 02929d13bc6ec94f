package import Foundation

/// A class of stores that are in no file: what the coordinator asks of it where it would handle files otherwise.
package protocol RemoteStore: NSPersistentStore {
    /// Whether a URL is that of such a store, for calls that don't name a type.
    static func handles(_ url: URL) -> Bool
    /// Removes a store with everything in it.
    ///
    /// - Throws: An error that names the store by its display name, also if it doesn't exist.
    static func destroyStore(at url: URL, options: [AnyHashable: Any]?) throws
    /// Replaces a store with a copy of another, or creates the copy if the store doesn't exist.
    static func replaceStore(
        at url: URL, options: [AnyHashable: Any]?, withStoreAt sourceURL: URL, sourceOptions: [AnyHashable: Any]?
    ) throws
    /// The model that the store was last used with.
    static func model(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel
    /// Whether the store records its history. Programs that write to such a store have to record it too.
    static func hasHistory(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> Bool
    /// Brings a store from one model to another in place, or changes nothing and says why.
    ///
    /// - Parameters:
    ///   - metadata: What the store said of itself when the models were compared; the application's keys are to be
    ///     kept.
    ///   - match: The entities of the store and those of the new model, compared.
    ///   - model: The new model.
    static func migrateStore(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws
    /// What the same migration would run, in its order. Nothing is changed.
    static func migrationStatements(
        at url: URL, metadata: [String: Any], by match: ModelMatch, to model: NSManagedObjectModel,
        options: [AnyHashable: Any]?
    ) throws -> [RemoteMigrationStatement]
    /// The location in words for messages; without anything secret.
    static func displayName(of url: URL) -> String
    /// What the server reports about a store. For tools.
    static func facts(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> RemoteStoreFacts
    /// What is wrong with a store, by the rules that the store itself has. Nothing is changed. For tools.
    ///
    /// - Parameter progress: Called with numbers of checks; an error of it ends the work.
    static func findings(
        inStoreAt url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any]?,
        progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws -> [StoreFinding]
}

/// Option of a store on a server: whether to create the store, also for a model of tables of other programs; a Boolean.
/// If the store already exists, it can't be added then.
package let makesRemoteStoreOption = "OpenCoreDataMakesRemoteStore"

/// A statement of a migration on a server, for people.
package struct RemoteMigrationStatement: Sendable {
    /// When a statement runs.
    package enum Phase: Sendable {
        /// Before anything takes effect, beside other programs.
        case preparing
        /// In the transaction that migrates.
        case migrating
        /// Afterwards, beside other programs.
        case completing
    }

    package let phase: Phase
    package let sql: String
    /// The locks that it takes on tables that are there, as `MODE ON table`.
    package let locks: [String]
    /// About how many rows it writes.
    package let rows: Int64
    /// How it is run, if not once.
    package let note: String?

    package init(phase: Phase, sql: String, locks: [String], rows: Int64, note: String? = nil) {
        self.phase = phase
        self.sql = sql
        self.locks = locks
        self.rows = rows
        self.note = note
    }
}

/// What a server reports about a store that it keeps.
package struct RemoteStoreFacts: Sendable {
    /// The server's name and version.
    package var server: String
    /// Bytes of the tables and indexes of the store.
    package var size: Int64
    package var hasHistory: Bool

    package init(server: String, size: Int64, hasHistory: Bool) {
        self.server = server
        self.size = size
        self.hasHistory = hasHistory
    }
}

extension RemoteStore {
    package static func displayName(of url: URL) -> String { url.displayName }
}
