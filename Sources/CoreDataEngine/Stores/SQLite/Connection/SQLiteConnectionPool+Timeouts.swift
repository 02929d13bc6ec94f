import Foundation

/// Errors of threads that waited for a connection in vain.
extension SQLiteConnectionPool {
    var readersBusyError: CocoaError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store “\(url.lastPathComponent)” could not be read: all \(limits.maximumReaders) connections that may read "
                + "at a time were in use for \(Self.seconds(limits.readerTimeout)). Make long reads shorter, allow more "
                + "connections with the option \(NSPersistentStoreConnectionPoolMaxSizeKey), or more time with "
                + "\(OpenCoreDataReaderTimeoutOption).",
            path: url.path)
    }

    /// - Parameter activity: What the thread wanted the connection for.
    func writerBusyError(_ activity: SQLiteError.Activity) -> CocoaError {
        let isWrite = activity == .saving
        let waited = Self.seconds(isWrite ? limits.writerTimeout : limits.readerTimeout)
        let option = isWrite ? OpenCoreDataWriterTimeoutOption : OpenCoreDataReaderTimeoutOption
        return CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store “\(url.lastPathComponent)” could not be \(isWrite ? "written" : "read"): its one connection "
                + "\(isWrite ? "that writes " : "")was in use for \(waited). Make long writes shorter, or allow more time "
                + "with the option \(option).",
            path: url.path)
    }

    /// A time in a sentence.
    static func seconds(_ seconds: Double?) -> String {
        let seconds = seconds ?? .infinity
        let number = seconds == seconds.rounded() && seconds < 1e15 ? "\(Int(seconds))" : "\(seconds)"
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}
