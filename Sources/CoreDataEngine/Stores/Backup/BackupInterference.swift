import Foundation

/// A change to a store during a backup, because of which the backup starts again.
enum BackupInterference: Error {
    /// A file of a large value was removed although the state that is copied names it.
    case missingValue(String, path: String)
    /// A file changed that was read without locks, because it wasn't open anywhere.
    case changedFile

    /// The error that the caller gets when it keeps happening.
    func error(source: URL) -> CocoaError {
        switch self {
        case .missingValue(let name, let path):
            CoreDataError.make(
                CocoaError.Code.fileReadNoSuchFile.rawValue,
                "The store “\(source.lastPathComponent)” can't be backed up: the file “\(name)” of one of its external "
                    + "values is missing.", path: path)
        case .changedFile:
            CoreDataError.make(
                NSPersistentStoreTimeoutError,
                "The store “\(source.lastPathComponent)” can't be backed up: it is opened for reading only, and another "
                    + "process wrote to it during each attempt.", path: source.path)
        }
    }
}
