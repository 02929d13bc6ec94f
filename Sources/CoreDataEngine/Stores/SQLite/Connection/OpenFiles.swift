import CSQLite
import Foundation

/// Notices that the files of a store were removed or replaced while a connection has them open: what is written to them
/// then is gone with the process.
///
/// Costs one `fstat` call while nothing in the folder comes, goes or is renamed, and else a `stat` call for each of the
/// files. Belongs to the connection.
struct OpenFiles {
    private let path: String
    private var folder: WatchedFolder
    private let mainFile: FileIdentity?
    /// The log and its index, if there are any, and which files they were when they were first there.
    private var others: [(path: String, file: FileIdentity?)]
    private var failure: SQLiteError?
    /// Whether nothing but a name is missing, and what is in the log can still be moved into the file.
    private(set) var canSaveLog = false

    /// - Parameter hasLog: Whether there is a write-ahead log, with its index.
    init(path: String, hasLog: Bool) {
        self.path = path
        folder = WatchedFolder(path: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        mainFile = FileIdentity(of: path)
        others = hasLog ? ["-wal", "-shm"].map { (path + $0, FileIdentity(of: path + $0)) } : []
    }

    /// Throws when the main file is not the one any more that it was, and from then on each time.
    mutating func checkMainFile() throws {
        if let failure { throw failure }
        if !folder.isUnchanged() { try checkName() }
    }

    private mutating func checkName() throws {
        let now = FileIdentity(of: path)
        guard let now, now == mainFile else { throw lost(path, isThere: now != nil) }
        recordNewFiles()
    }

    /// Notes the log and its index when they are first there. Costs nothing afterwards.
    mutating func recordNewFiles() {
        for index in others.indices where others[index].file == nil {
            others[index].file = FileIdentity(of: others[index].path)
        }
    }

    /// The same for all files.
    mutating func check() throws {
        if let failure { throw failure }
        if folder.isUnchanged() { return }
        // Read before the files: what happens after it shows the next time.
        let state = folder.forget()
        try checkName()
        var lost: (path: String, isThere: Bool)?
        for (path, file) in others {
            guard let file else { continue }
            let now = FileIdentity(of: path)
            if now != file, lost == nil || now != nil { lost = (path, now != nil) }
        }
        guard let lost else {
            folder.trust(state)
            return
        }
        canSaveLog = !lost.isThere
        throw self.lost(lost.path, isThere: lost.isThere)
    }

    private mutating func lost(_ file: String, isThere: Bool) -> SQLiteError {
        let name = URL(fileURLWithPath: file).lastPathComponent
        let error = SQLiteError(
            extendedCode: SQLiteExtendedCode.movedFile,
            message: "the file “\(name)” was \(isThere ? "replaced" : "moved or removed")", sql: nil, path: path)
        failure = error
        return error
    }

    /// To be called before the log is saved, which is tried once.
    mutating func willSaveLog() { canSaveLog = false }
}

extension SQLiteConnection {
    /// Watches the files from now on: each commit throws when they are not in place.
    ///
    /// - Parameter hasLog: Whether there is a write-ahead log.
    func watchFiles(hasLog: Bool) {
        // SQLite's own name: symbolic links are followed, and the log is beside the real file.
        guard let path = sqlite3_db_filename(handle, "main").map({ String(cString: $0) }), !path.isEmpty else { return }
        openFiles = OpenFiles(path: path, hasLog: hasLog)
    }

    /// Throws when the store's file was moved, replaced or removed since it was opened.
    package func checkFileIsInPlace() throws { try openFiles?.checkMainFile() }

    /// The same for the file, its log and the log's index.
    func checkFilesAreInPlace() throws { try openFiles?.check() }

    /// When nothing but the name of the log or of its index is gone, moves what the log holds into the file, so that
    /// what was saved before is not lost with the process.
    func saveLogWithoutName() {
        guard openFiles?.canSaveLog == true else { return }
        openFiles?.willSaveLog()
        rollback()
        _ = try? checkpoint()
    }
}
