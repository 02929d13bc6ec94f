import CSQLite

/// How many pages the write-ahead log had after the last commit of a connection.
///
/// Takes the place of SQLite's automatic checkpoint, which is made from the same hook.
final class LogLength {
    private var pages: Int32 = 0
    /// The number of pages at which the commit itself does a checkpoint, because no other thread has done one.
    private let mostPages: Int32

    /// - Parameters:
    ///   - handle: The connection, which must be closed before this object goes.
    ///   - mostPages: 0 for any number.
    init(_ handle: OpaquePointer, mostPages: Int32) {
        self.mostPages = mostPages
        sqlite3_wal_hook(
            handle,
            { context, handle, database, pages in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                length.pages = pages
                if length.mostPages > 0, pages >= length.mostPages { sqlite3_wal_checkpoint(handle, database) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// - Returns: The pages after the last commit, or 0 if nothing was committed since the last call.
    func takePages() -> Int32 {
        defer { pages = 0 }
        return pages
    }
}
