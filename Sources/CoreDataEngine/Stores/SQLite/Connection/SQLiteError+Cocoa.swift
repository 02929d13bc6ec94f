import CSQLite
package import Foundation

extension SQLiteError {
    /// What was being done when SQLite failed.
    ///
    /// The same result code means different things when opening and saving.
    package enum Activity: Sendable {
        case opening, reading, saving
    }

    /// The error that leaves the store: Apple's code, the file, a sentence, and `self` as the underlying error.
    package func cocoaError(while activity: Activity) -> CocoaError {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let (code, sentence) =
            fileProblem(name, while: activity) ?? contentProblem(name) ?? (
                .sqlite, "SQLite reported an error for the store “\(name)”: \(message)."
            )
        return CoreDataError.make(
            code.rawValue, sentence, path: path, underlying: self,
            userInfo: [NSSQLiteErrorDomain: Int(extendedCode)])
    }

    /// The file system or another process is in the way.
    private func fileProblem(_ name: String, while activity: Activity) -> (CocoaError.Code, String)? {
        switch code {
        case _ where isOutOfSpace:
            (
                .fileWriteOutOfSpace,
                "The disk is full; the store “\(name)”, or a file beside it, could not be written. Make room and try again."
            )
        case SQLITE_READONLY where extendedCode == SQLiteExtendedCode.movedFile:
            (
                .fileNoSuchFile,
                "The store “\(name)” can no longer be saved to: \(message) while the store was open. Remove the store from "
                    + "its coordinator and add it again."
            )
        case SQLITE_READONLY where isInterruptedWrite:
            (
                .fileReadNoPermission,
                "A write of the store “\(name)” was never finished and has to be rolled back before the store can be read, "
                    + "but the store was opened for reading only."
            )
        case SQLITE_READONLY,
            SQLITE_IOERR where systemError == EROFS, SQLITE_CANTOPEN where systemError == EROFS:
            unwritable(name)
        case SQLITE_PERM where activity == .saving, SQLITE_AUTH where activity == .saving:
            (.fileWriteNoPermission, "There is no permission to write the store “\(name)”.")
        case SQLITE_PERM, SQLITE_AUTH:
            (.fileReadNoPermission, "There is no permission to read the store “\(name)”.")
        case SQLITE_CANTOPEN:
            openProblem(name, while: activity)
        case SQLITE_BUSY, SQLITE_LOCKED:
            (
                .persistentStoreTimeout,
                "The store “\(name)” is locked by another connection or process. \(NSPersistentStoreTimeoutOption) sets how "
                    + "long to wait."
            )
        case SQLITE_IOERR where systemError == EACCES || systemError == EPERM:
            activity == .saving || isFailedWrite
                ? (.fileWriteNoPermission, "There is no permission to write the store “\(name)” or a file beside it.")
                : (.fileReadNoPermission, "There is no permission to read the store “\(name)” or a file beside it.")
        case SQLITE_IOERR where activity == .saving || isFailedWrite:
            (.fileWriteUnknown, "The store “\(name)” could not be written: \(reason). Check the disk and try again.")
        case SQLITE_IOERR:
            (.fileReadUnknown, "The store “\(name)” could not be read: \(reason). Check the disk and try again.")
        default: nil
        }
    }

    /// What the system said, or else SQLite's message.
    private var reason: String { systemNumber.map { SystemError.reason($0) } ?? message }

    /// Whether the file's folder is read-only.
    private var isOnReadOnlyVolume: Bool {
        if systemError == EROFS { return true }
        #if os(Windows)
        return false
        #else
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return access(folder, W_OK) != 0 && errno == EROFS
        #endif
    }

    private func unwritable(_ name: String) -> (CocoaError.Code, String) {
        let sentence = "The store “\(name)” cannot be written: "
        return isOnReadOnlyVolume
            ? (.fileWriteVolumeReadOnly, sentence + "the disk is read-only. Open it for reading only.")
            : (.fileWriteNoPermission, sentence + "the file or its folder is read-only.")
    }

    /// The bytes or the request are wrong.
    private func contentProblem(_ name: String) -> (CocoaError.Code, String)? {
        switch code {
        case SQLITE_NOTADB:
            (.fileReadCorruptFile, "The file “\(name)” is not an SQLite database.")
        case SQLITE_CORRUPT:
            (.fileReadCorruptFile, "The store “\(name)” is damaged: \(message).")
        case SQLITE_MISMATCH:
            (
                .fileReadCorruptFile,
                "A number in the store “\(name)” is damaged: \(message). The command 'opencoredata check' names it."
            )
        case SQLITE_CONSTRAINT where isUniquenessViolation:
            (.managedObjectConstraintMerge, "A uniqueness constraint of the store “\(name)” was violated: \(message).")
        case SQLITE_CONSTRAINT:
            (.persistentStoreSave, "A constraint of the store “\(name)” was violated: \(message).")
        case SQLITE_ERROR where isTooComplex, SQLITE_TOOBIG:
            (
                .coreData,
                "The request is too deeply nested or too long for the SQLite store “\(name)”: \(message). "
                    + "Divide it, or use IN with a list."
            )
        case SQLITE_INTERRUPT:
            (.userCancelled, "The operation on the store “\(name)” was cancelled.")
        default: nil
        }
    }

    private func openProblem(_ name: String, while activity: Activity) -> (CocoaError.Code, String) {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !files.fileExists(atPath: folder) {
            return (.fileReadNoSuchFile, "The folder “\(folder)” of the store “\(name)” does not exist.")
        }
        // If a log can't be opened, SQLite looks for it again, and then says that it doesn't exist.
        let detail = systemError == 0 || systemError == ENOENT ? "" : ": \(reason)"
        let isThere = files.fileExists(atPath: path)
        if isThere || activity == .opening, isOnReadOnlyVolume { return unwritable(name) }
        guard isThere else {
            return activity == .opening || !detail.isEmpty
                ? (.fileReadUnknown, "The store “\(name)” could not be opened or created\(detail).")
                : (.fileReadNoSuchFile, "The store “\(name)” does not exist.")
        }
        if !files.isReadableFile(atPath: path) {
            return (.fileReadNoPermission, "There is no permission to read the store “\(name)”.")
        }
        if activity == .saving, !files.isWritableFile(atPath: path) || !files.isWritableFile(atPath: folder) {
            return (
                .fileWriteNoPermission, "The store “\(name)” cannot be written: the file or its folder is read-only."
            )
        }
        return activity == .saving
            ? (.fileWriteUnknown, "The store “\(name)” or a file beside it could not be opened for writing\(detail).")
            : (.fileReadUnknown, "The store “\(name)” or a file beside it could not be opened\(detail).")
    }
}
