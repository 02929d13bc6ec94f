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
    /// Writing, flushing, making or cutting a file failed: `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC`, `_TRUNCATE`,
    /// `_DELETE`, `_SHMOPEN`, `_SHMSIZE`, `_SHMMAP`.
    static let failedWrites = Set([3, 4, 5, 6, 10, 18, 19, 21].map { SQLITE_IOERR | ($0 << 8) })
    /// A file could not be removed: `SQLITE_IOERR_DELETE`.
    static let failedDeletion = SQLITE_IOERR | (10 << 8)
    /// The disk refused to read: `SQLITE_IOERR_CORRUPTFS`.
    static let refusedRead = SQLITE_IOERR | (33 << 8)
    /// The file was moved or removed while it was open.
    static let movedFile = SQLITE_READONLY | (4 << 8)
}
