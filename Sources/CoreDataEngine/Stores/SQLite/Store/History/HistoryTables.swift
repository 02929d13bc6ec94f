/// The tables of persistent history, as Apple's framework makes them.
enum HistoryTables {
    static let changeNumber = Int64(SQLSchema.HistoryNumber.change)
    static let transactionNumber = Int64(SQLSchema.HistoryNumber.transaction)
    static let stringNumber = Int64(SQLSchema.HistoryNumber.transactionString)

    /// What the file has of history.
    struct Presence: Sendable {
        /// Whether the history is recorded.
        var isRecording: Bool
        /// Whether there is anything to read.
        var hasTables: Bool
        /// Columns of ATRANSACTION; older frameworks keep strings there instead of numbers of strings.
        var hasStringTable: Bool
        /// `ZTOMBSTONE0`, …
        var tombstoneColumns: Int
    }

    /// Checks whether history is recorded: if the application asks for it, or the store still has one from before.
    static func presence(_ connection: SQLiteConnection, isWanted: Bool) throws -> Presence {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('ACHANGE')")
            .compactMap { if case .text(let name) = $0[0] { name } else { nil } }
        let hasTables = !columns.isEmpty
        let hasStrings =
            try connection.firstValue("SELECT 1 FROM sqlite_master WHERE name='ATRANSACTIONSTRING'") != nil
        let hasTransactions = try hasTables && connection.firstValue("SELECT 1 FROM ATRANSACTION LIMIT 1") != nil
        return Presence(
            isRecording: isWanted || hasTransactions, hasTables: hasTables, hasStringTable: hasStrings || !hasTables,
            tombstoneColumns: columns.filter { $0.hasPrefix("ZTOMBSTONE") }.count)
    }

    /// Makes the tables where they are missing, and the columns for values that outlive their row.
    static func prepare(_ connection: SQLiteConnection, schema: SQLSchema) throws {
        if try connection.firstValue("SELECT 1 FROM sqlite_master WHERE name='ACHANGE'") == nil {
            for statement in schema.historyStatements { try connection.execute(script: statement) }
            return
        }
        let present = try presence(connection, isWanted: true).tombstoneColumns
        for column in present..<max(present, schema.tombstoneCount) {
            try connection.execute(script: "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(column) BLOB")
        }
    }

    /// Attributes of an entity whose values are kept when an object is deleted, in the order of the columns.
    static func tombstones(of entity: EntityMapping) -> [SlotLayout] {
        entity.layout.slots.compactMap { $0 }
            .filter { slot in
                guard let column = entity.column(slot), !column.isExternal else { return false }
                return slot.attribute?.preservesValueInHistoryOnDeletion ?? false
            }
            .sorted { $0.name < $1.name }
    }
}
