package import Foundation

/// Looks for what breaks the rules of a Core Data store: damage, references to nothing, counters that are too low.
///
/// Nothing is written. Each check is one or a few statements; the topics are in files of their own. A checker belongs to
/// one thread.
package struct StoreChecker {
    /// The most findings that one statement adds; what is wrong in one row is often wrong in many.
    static let limit = 100

    let url: URL
    let connection: SQLiteConnection
    let model: NSManagedObjectModel
    var findings: [StoreFinding] = []

    /// Checks the store at `url` against the model of its data.
    ///
    /// - Returns: What is wrong, in the order of the checks; empty for a sound store.
    /// - Throws: When the file cannot be opened, or has not the tables of the model.
    package static func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [StoreFinding] {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        var checker = StoreChecker(url: url, connection: connection, model: model)
        do {
            return try CancellableRead.reading(connection) { try connection.snapshot { try checker.run() } }
        } catch let error as SQLiteError where error.isDamage {
            return checker.findings + [StoreFinding(.damage, "SQLite cannot read on: \(error.message).")]
        }
    }

    /// Looks for values whose files are missing, and for files that no row names.
    ///
    /// - Throws: As `findings(inStoreAt:model:)`.
    package static func externalDataFindings(
        inStoreAt url: URL, model: NSManagedObjectModel
    ) throws -> [StoreFinding] {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        var checker = StoreChecker(url: url, connection: connection, model: model)
        return try connection.snapshot {
            let members = try checker.checkMetadata()
            checker.findings = []
            try checker.checkExternalData(
                SQLSchema(entities: members, reconciledWith: StoredLayout(readingFrom: connection)))
            return checker.findings
        }
    }

    private init(url: URL, connection: SQLiteConnection, model: NSManagedObjectModel) {
        self.url = url
        self.connection = connection
        self.model = model
    }

    private mutating func run() throws -> [StoreFinding] {
        try checkIntegrity()
        let members = try checkMetadata()
        guard try checkNumbersOfEntities(members) else { return findings }
        let schema = try SQLSchema(entities: members, reconciledWith: StoredLayout(readingFrom: connection))
        try checkPrimaryKeys(schema)
        try checkEntityNumbers(schema)
        try checkNumbersOfRows(schema)
        try checkToOnes(schema)
        try checkJoinTables(schema)
        try checkHiddenColumns(schema)
        try checkInverses(schema)
        try checkExternalData(schema)
        try checkIndexes(schema)
        try checkHistory()
        return findings
    }

    mutating func add(
        _ kind: StoreFinding.Kind, table: String? = nil, row: Int64? = nil, _ message: String
    ) {
        findings.append(StoreFinding(kind, table: table, row: row, message))
    }

    /// Runs a statement whose first column is a row's primary key, and adds a finding for each row.
    mutating func addRows(
        _ kind: StoreFinding.Kind, table: String, _ sql: String, _ message: ([SQLValue]) -> String
    ) throws {
        for row in try connection.rows(sql + " LIMIT \(Self.limit)") {
            let key: Int64? = if case .integer(let key)? = row.first { key } else { nil }
            add(kind, table: table, row: key, message(row))
        }
    }

    // MARK: Damage

    private mutating func checkIntegrity() throws {
        for row in try connection.rows("PRAGMA integrity_check(\(Self.limit))") {
            guard case .text(let message)? = row.first, message != "ok" else { continue }
            add(.damage, "SQLite's integrity check says: \(message).")
        }
    }
}

extension SQLValue {
    /// The value in a sentence.
    var described: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): "\(number)"
        case .text(let text): "\"\(text)\""
        case .blob(let data): "\(data.count) bytes"
        }
    }
}
