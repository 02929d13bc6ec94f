import CSQLite
import Foundation

/// What SQLite said when a call failed.
///
/// The connection layer throws this type. The pool and the store file turn it into a `CocoaError` with Apple's code
/// where it leaves the SQLite folder (`cocoaError(while:)`), and keep it as the underlying error.
package struct SQLiteError: Error, Sendable, Hashable {
    /// SQLite's extended result code, for example `SQLITE_CONSTRAINT_UNIQUE`.
    package var extendedCode: Int32
    /// SQLite's message.
    package var message: String
    /// The statement that failed, with placeholders, never with values.
    package var sql: String?
    /// The database file.
    package var path: String
    /// The system's error number (`errno`) for a file that couldn't be opened, read or written; 0 for other errors.
    package var systemError: Int32 = 0

    /// SQLite's primary result code, for example `SQLITE_CONSTRAINT`.
    package var code: Int32 { extendedCode & 0xff }

    package init(extendedCode: Int32, message: String, sql: String? = nil, path: String) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.path = path
    }

    /// Reads the error of the last call on a connection.
    ///
    /// - Parameters:
    ///   - handle: The connection; `nil` if it couldn't be created (out of memory).
    ///   - code: The result code of the call, used if the connection has kept none.
    init(handle: OpaquePointer?, code: Int32, sql: String?, path: String) {
        var extended = code
        var message = String(cString: sqlite3_errstr(code))
        if let handle, sqlite3_errcode(handle) & 0xff == code & 0xff {
            extended = sqlite3_extended_errcode(handle)
            message = String(cString: sqlite3_errmsg(handle))
        }
        self.init(extendedCode: extended, message: message, sql: sql, path: path)
        guard let handle else { return }
        switch self.code {
        case SQLITE_CANTOPEN:
            systemError = sqlite3_system_errno(handle)
        case SQLITE_IOERR:
            systemError = sqlite3_system_errno(handle)
            // A commit doesn't report it, and calls after the failure may have changed it. A file that can't be removed
            // isn't one that the connection has open.
            let ofFile =
                extendedCode == SQLiteExtendedCode.failedDeletion ? 0 : csqlite_last_file_error(handle)
            for number in [ofFile, LogFileSystem.lastFileError(extendedCode)]
            where number != 0 && !Self.reasons.contains(systemError) {
                systemError = number
            }
        case SQLITE_CORRUPT:
            // SQLite calls the file damaged when the disk refuses to read it.
            var number = csqlite_last_file_error(handle)
            // A journal that could not be read back is closed by now.
            if number != EIO, number != ENXIO { number = LogFileSystem.lastJournalError }
            let isDamage = ["malformed", "corrupt"].contains { message.contains($0) }
            guard number == EIO || number == ENXIO || !isDamage else { return }
            extendedCode = SQLiteExtendedCode.refusedRead
            self.message = String(cString: sqlite3_errstr(SQLITE_IOERR))
            systemError = number
        default: break
        }
    }

    /// The system's numbers that say why a file could not be read or written.
    fileprivate static let reasons: Set<Int32> = [
        EIO, ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EPERM, ENOMEM, EMFILE, ENFILE,
    ]

    /// Whether a unique index or primary key rejected a row.
    package var isUniquenessViolation: Bool {
        extendedCode == SQLiteExtendedCode.constraintUnique || extendedCode == SQLiteExtendedCode.constraintPrimaryKey
            || extendedCode == SQLiteExtendedCode.constraintRowID
    }

    /// Whether another connection or process holds a lock that did not go away within the busy timeout.
    package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

    /// Whether the statement goes beyond a limit that SQLite was built with.
    var isTooComplex: Bool {
        ["parser stack overflow", "Expression tree is too large", "too many"].contains { message.contains($0) }
    }

    /// Whether a write that was never finished has to be taken back before the file can be read.
    var isInterruptedWrite: Bool { extendedCode == SQLiteExtendedCode.readOnlyRollback }

    /// Whether the disk, or what the user may use of it, is full.
    package var isOutOfSpace: Bool {
        code == SQLITE_FULL || [ENOSPC, EDQUOT, EFBIG].contains(systemError)
    }

    /// Whether a file could not be written, by what SQLite was doing and not by what the engine was.
    var isFailedWrite: Bool { SQLiteExtendedCode.failedWrites.contains(extendedCode) }

    /// Whether the bytes of the file are not, or no longer, an SQLite database.
    package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
}

extension SQLiteError: SystemNumbered {
    /// The system's number; that of an input/output error where SQLite reports one without a number.
    var systemNumber: Int32? {
        guard code == SQLITE_IOERR else { return systemError == 0 ? nil : systemError }
        return Self.reasons.contains(systemError) ? systemError : EIO
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        "SQLite error \(extendedCode): \(message) (\(path))" + (sql.map { " in: \($0)" } ?? "")
    }
}

extension SQLiteError: CustomNSError {
    package static var errorDomain: String { NSSQLiteErrorDomain }
    package var errorCode: Int { Int(extendedCode) }
    package var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, NSFilePathErrorKey: path]
    }
}
