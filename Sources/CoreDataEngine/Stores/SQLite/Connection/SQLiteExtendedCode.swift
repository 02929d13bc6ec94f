import CSQLite

/// SQLite's extended result codes that the engine looks at.
///
/// SQLite defines them by expressions, which Swift does not import.
enum SQLiteExtendedCode {
    static let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
    static let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
    static let constraintRowID = SQLITE_CONSTRAINT | (10 << 8)
    /// A write that was never finished has to be taken back first.
    static let readOnlyRollback = SQLITE_READONLY | (3 << 8)
    /// The file was moved or removed while it was open.
    static let movedFile = SQLITE_READONLY | (4 << 8)
}
