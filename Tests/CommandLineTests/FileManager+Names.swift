import Foundation

extension FileManager {
    /// The names of a folder's files without the log, emptied, and its index, which stay beside a store that was open.
    func namesWithoutLogs(in folder: URL) throws -> [String] {
        try contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
    }
}
