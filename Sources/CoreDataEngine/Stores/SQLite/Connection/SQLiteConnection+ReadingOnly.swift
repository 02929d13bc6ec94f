import CSQLite
package import Foundation

extension SQLiteConnection {
    /// Opens a file that must not be changed, and checks that it can be read.
    ///
    /// Opening a store in write-ahead mode makes SQLite create its `-wal` and `-shm` files even for reading. If there
    /// is no log with content, no process is writing, and the file is read without locks.
    ///
    /// A log that isn't in use, as beside a copied store, is read with it. Only a store that another process has open
    /// is read with locks, through the files that the process has created.
    ///
    /// - Parameter state: The state of the file a moment ago.
    convenience init(readingOnly path: String, configuration: SQLiteConfiguration, state: LogState) throws {
        var configuration = configuration
        configuration.access = state.readingAccess
        try self.init(path: path, configuration: configuration)
        do {
            _ = try firstValue("SELECT count(*) FROM sqlite_master")
        } catch {
            close()
            throw error
        }
    }

    /// Opens a file that must not be touched, for one look at it.
    ///
    /// Where a process died in the midst of a write, the file can't be read before the write is taken back, so that it is
    /// taken back in a copy.
    package static func readingOnly(_ url: URL) throws -> SQLiteConnection {
        try RegularFile.require(at: url)
        let url = url.realFile
        try RegularFile.requireCompanions(of: url)
        do {
            return try SQLiteConnection(lookingAt: url)
        } catch let error as SQLiteError where error.isInterruptedWrite {
            return try ofCopy(of: url)
        }
    }

    private convenience init(lookingAt url: URL) throws {
        var configuration = SQLiteConfiguration(access: .readOnly)
        configuration.statementCacheLimit = 16
        configuration.memoryMap = 0
        try self.init(
            readingOnly: url.path, configuration: configuration, state: LogState(of: url))
    }

    private static func ofCopy(of url: URL) throws -> SQLiteConnection {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("opencoredata-\(UUID().uuidString)", isDirectory: true)
        // What is open stays readable when its name goes.
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appendingPathComponent(url.lastPathComponent)
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
                at: URL(fileURLWithPath: url.path + suffix), to: URL(fileURLWithPath: copy.path + suffix))
        }
        let writer = try SQLiteConnection(path: copy.path, configuration: .init(access: .readWrite))
        do {
            defer { writer.close() }
            _ = try writer.firstValue("SELECT count(*) FROM sqlite_master")
        }
        return try SQLiteConnection(lookingAt: copy)
    }
}
