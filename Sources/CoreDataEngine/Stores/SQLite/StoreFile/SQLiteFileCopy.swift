import CSQLite
import Foundation

/// Copies a database with SQLite's backup interface: the copy is one consistent file, whatever the log holds.
enum SQLiteFileCopy {
    /// Copies a database that may be in use.
    ///
    /// - Parameter alongside: Called with a connection that sees what was copied, even if others commit in the
    ///   meantime.
    /// - Throws: A Cocoa error that names the file, or the error of `alongside`.
    static func copy(
        from source: URL, to destination: URL, alongside: (SQLiteConnection) throws -> Void = { _ in }
    ) throws {
        do {
            let reader = try SQLiteConnection.readingOnly(source)
            defer { reader.close() }
            try reader.snapshot {
                // The transaction takes its place in the log with the first read.
                _ = try reader.firstValue("SELECT 1 FROM sqlite_master LIMIT 1")
                try copy(from: reader, to: destination)
                try alongside(reader)
            }
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .reading)
        }
    }

    /// Copies what a connection sees: within a transaction a single state, even if others write in the meantime.
    ///
    /// - Parameters:
    ///   - pagesAtOnce: The number of pages to copy between two calls of `progress`; all if it is negative.
    ///   - progress: Receives the number of copied pages and of all pages. An error that it throws ends the copy.
    /// - Throws: `SQLiteError`.
    static func copy(
        from reader: SQLiteConnection, to destination: URL, pagesAtOnce: Int32 = -1,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.journalMode = nil
        let writer = try SQLiteConnection(path: destination.path, configuration: configuration)
        defer { writer.close() }
        guard let backup = sqlite3_backup_init(writer.handle, "main", reader.handle, "main") else {
            throw failure(writer, sqlite3_errcode(writer.handle))
        }
        var code = SQLITE_OK
        do {
            while code == SQLITE_OK {
                code = sqlite3_backup_step(backup, pagesAtOnce)
                let total = Int(sqlite3_backup_pagecount(backup))
                try progress(total - Int(sqlite3_backup_remaining(backup)), total)
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw failure(writer, code == SQLITE_DONE ? end : code)
        }
    }

    private static func failure(_ connection: SQLiteConnection, _ code: Int32) -> SQLiteError {
        SQLiteError(handle: connection.handle, code: code, sql: nil, path: connection.path)
    }
}
