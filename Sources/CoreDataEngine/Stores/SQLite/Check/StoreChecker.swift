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
    /// Where values may be that the store will have beside it when it takes the place of another one.
    private(set) var formerURL: URL?
    var findings: [StoreFinding] = []

    /// Checks the store at `url` against the model of its data.
    ///
    /// - Parameters:
    ///   - formerURL: The store whose place this one will take, with its external values.
    ///   - progress: Called after each check with the number of those that are done and of all; an error of it ends the work.
    /// - Returns: What is wrong, in the order of the checks; empty for a sound store.
    /// - Throws: When the file cannot be opened, or has not the tables of the model.
    package static func findings(
        inStoreAt url: URL, model: NSManagedObjectModel, replacing formerURL: URL? = nil,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> [StoreFinding] {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        var checker = StoreChecker(url: url, connection: connection, model: model)
        checker.formerURL = formerURL
        do {
            return try CancellableRead.reading(connection) { try connection.snapshot { try checker.run(progress) } }
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

    private mutating func run(_ progress: (_ done: Int, _ total: Int) throws -> Void) throws -> [StoreFinding] {
        let checks: [(inout StoreChecker, SQLSchema) throws -> Void] = [
            { try $0.checkPrimaryKeys($1) }, { try $0.checkEntityNumbers($1) }, { try $0.checkNumbersOfRows($1) },
            { try $0.checkToOnes($1) }, { try $0.checkJoinTables($1) }, { try $0.checkHiddenColumns($1) },
            { try $0.checkInverses($1) }, { try $0.checkExternalData($1) }, { try $0.checkIndexes($1) },
        ]
        let total = checks.count + 2
        try checkIntegrity()
        try progress(1, total)
        let members = try checkMetadata()
        guard try checkNumbersOfEntities(members) else { return findings }
        let schema = try SQLSchema(entities: members, reconciledWith: StoredLayout(readingFrom: connection))
        for (index, check) in checks.enumerated() {
            try check(&self, schema)
            try progress(index + 2, total)
        }
        try checkHistory()
        try progress(total, total)
        return findings
    }

    mutating func add(
        _ kind: StoreFinding.Kind, level: StoreFinding.Level? = nil, table: String? = nil, row: Int64? = nil,
        _ message: String
    ) {
        findings.append(StoreFinding(kind, level: level, table: table, row: row, message))
    }

    /// Runs a statement whose first column is a row's primary key, and adds a finding for each row.
    mutating func addRows(
        _ kind: StoreFinding.Kind, level: StoreFinding.Level? = nil, table: String, _ sql: String,
        _ message: ([SQLValue]) -> String
    ) throws {
        for row in try connection.rows(sql + " LIMIT \(Self.limit)") {
            let key: Int64? = if case .integer(let key)? = row.first { key } else { nil }
            add(kind, level: level, table: table, row: key, message(row))
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
        case .text(let string): "\"\(string)\""
        case .blob(let data): "\(data.count) bytes"
        }
    }
}
