#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization

/// The versions of the model that a store has had, in the table `ocd_model`: which of them may be worked with.
///
/// A migration that only adds leaves the old versions active. Any other retires them: what a program of such a
/// version does next fails.
struct ModelVersions {
    private static let active = "active"
    private static let retired = "retired"
    private let states: [String: String]

    static func read(_ schema: String, _ connection: PostgreSQLConnection) throws -> ModelVersions {
        var states: [String: String] = [:]
        let result = try connection.execute("SELECT checksum, state FROM \(SQLName.quoted(schema)).ocd_model")
        result.forEachRow { states[$0.string(0)] = $0.string(1) }
        return ModelVersions(states: states)
    }

    func isActive(_ checksum: String) -> Bool { states[checksum] == Self.active }
    func isRetired(_ checksum: String) -> Bool { states[checksum] == Self.retired }

    /// The checksum of what a store keeps of a model.
    static func checksum(of entities: [NSEntityDescription]) -> String {
        NSManagedObjectModel.versionChecksum(of: hashes(of: entities))
    }

    /// The checksum under which the store has a version: that of now, or that of earlier versions of this library.
    func knownChecksum(of entities: [NSEntityDescription]) -> String {
        let checksum = Self.checksum(of: entities)
        guard states[checksum] == nil else { return checksum }
        let hashes = entities.map { ($0.name ?? "", $0.formerVersionHash ?? $0.versionHash) }
        let former = NSManagedObjectModel.versionChecksum(
            of: Dictionary(hashes, uniquingKeysWith: { first, _ in first }))
        return states[former] == nil ? checksum : former
    }

    static func hashes(of entities: [NSEntityDescription]) -> [String: Data] {
        Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    }

    /// Makes a version active.
    ///
    /// - Parameter retiresOthers: Whether the others can't be worked with any longer.
    static func record(
        _ model: NSManagedObjectModel, checksum: String, retiresOthers: Bool, _ schema: String,
        _ connection: PostgreSQLConnection
    ) throws {
        let table = "\(SQLName.quoted(schema)).ocd_model"
        var parameters = PostgreSQLParameters()
        try parameters.append(text: checksum)
        parameters.append(bytea: try model.encodedModelCache())
        var statements = [
            PostgreSQLStatement(
                "INSERT INTO \(table) (checksum, archive, state) VALUES ($1::text, $2::bytea, '\(active)') "
                    + "ON CONFLICT (checksum) DO UPDATE SET archive = EXCLUDED.archive, state = EXCLUDED.state",
                parameters, isPrepared: false)
        ]
        if retiresOthers {
            var own = PostgreSQLParameters()
            try own.append(text: checksum)
            statements.append(
                PostgreSQLStatement(
                    "UPDATE \(table) SET state = '\(retired)' WHERE checksum <> $1::text", own, isPrepared: false))
        }
        try connection.pipeline(statements)
    }

    /// The error of a program whose version was retired.
    static func retiredError(_ location: String) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreIncompatibleVersionHashError,
            "The store \(location) was migrated to another version of the model, which the version of this program can't work "
                + "with: nothing was read or written. Update the program.",
            userInfo: ["reason": "The model used to open the store was retired by a migration"])
    }

    /// Makes sure that the version that a store was opened with may still be worked with.
    struct Guard: Sendable {
        let schema: String
        let checksum: String
        let location: String

        /// Part of each transaction that writes: it keeps a migration out until the transaction ends, and fails
        /// after one.
        let statement: PostgreSQLStatement
        /// The same, which also returns the mark of the transaction.
        let mark: PostgreSQLStatement
        /// Finds a row if the version may be worked with.
        let query: PostgreSQLStatement
        let markWithLife: PostgreSQLStatement

        init(schema: String, checksum: String, location: String) throws {
            self.schema = schema
            self.checksum = checksum
            self.location = location
            var parameters = PostgreSQLParameters()
            try parameters.append(text: checksum)
            let own = SQLName.quoted(schema)
            let check =
                "CASE WHEN EXISTS (SELECT 1 FROM \(own).ocd_model WHERE checksum = $1::text "
                + "AND state = '\(ModelVersions.active)') THEN 1 ELSE \(own).ocd_expect(0, 1) END"
            query = PostgreSQLStatement(
                "SELECT 1 FROM \(own).ocd_model WHERE checksum = $1::text AND state = '\(ModelVersions.active)'",
                parameters)
            statement = PostgreSQLStatement("SELECT \(check)", parameters)
            mark = TransactionMark.statement(hasLife: false, checking: (check, parameters))
            markWithLife = TransactionMark.statement(hasLife: true, checking: (check, parameters))
        }

        /// The same, for a transaction that is written step by step.
        ///
        /// - Throws: `NSPersistentStoreIncompatibleVersionHashError`.
        func check(_ connection: PostgreSQLConnection) throws {
            try require(try connection.execute(query.sql, query.parameters))
        }

        /// - Parameter found: What ``query`` has found.
        func require(_ found: PostgreSQLResult) throws {
            if found.count == 0 { throw ModelVersions.retiredError(location) }
        }
    }
}
#endif
