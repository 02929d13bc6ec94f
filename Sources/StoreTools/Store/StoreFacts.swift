package import Foundation
import OpenCoreData

/// What can be learned about a store's file without its model. Nothing is changed.
package struct StoreFacts {
    private static let databaseSignature = Data("SQLite format 3\0".utf8)

    package let url: URL
    /// The store's copy of its model, compressed; nil when it has none.
    package let modelCache: Data?
    /// The names of tables, indexes and triggers in the file, by kind.
    private let names: [String: Set<String>]

    /// Looks into the file at `url`.
    ///
    /// - Throws: When it is no SQLite database, or has none of the tables of a store.
    package init(url: URL) throws {
        self.url = url
        guard Self.isDatabase(url) else {
            let kind = FileContent.name(of: url).map { " It is \($0)." } ?? ""
            throw ToolFailure("\(url.path) isn't a SQLite database, which a store has to be.\(kind)")
        }
        do {
            let connection = try SQLiteConnection.readingOnly(url)
            defer { connection.close() }
            var names: [String: Set<String>] = [:]
            for row in try connection.rows("SELECT type, name FROM sqlite_master") {
                if case .text(let kind) = row[0], case .text(let name) = row[1] {
                    names[kind, default: []].insert(name)
                }
            }
            self.names = names
            modelCache = try Self.modelCache(connection, names)
        } catch let error as SQLiteError {
            throw ToolFailure("\(url.path) cannot be read: \(error.message).")
        }
        guard names["table"]?.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"]) == true else {
            throw ToolFailure("\(url.path) is a SQLite database, but not a Core Data store.")
        }
    }

    private static func modelCache(_ connection: SQLiteConnection, _ names: [String: Set<String>]) throws -> Data? {
        guard names["table"]?.contains("Z_MODELCACHE") == true,
            case .blob(let data)? = try connection.firstValue("SELECT Z_CONTENT FROM Z_MODELCACHE"), !data.isEmpty
        else { return nil }
        return data
    }

    /// Whether the file looks like an SQLite database from outside; an empty file with a log beside it counts.
    package static func isDatabase(_ url: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        let start = (try? handle.read(upToCount: databaseSignature.count)) ?? Data()
        return start == databaseSignature
    }

    package var hasHistory: Bool { has("table", "ATRANSACTION") }

    package func has(_ kind: String, _ name: String) -> Bool { names[kind]?.contains(name) == true }

    /// Whether a name of that kind starts with `prefix`.
    package func has(_ kind: String, prefix: String) -> Bool { names[kind]?.contains { $0.hasPrefix(prefix) } == true }

    /// Whether the file is in write-ahead mode, by its header.
    package var isWriteAhead: Bool {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? handle.close() }
        guard let header = try? handle.read(upToCount: 20), header.count == 20 else { return false }
        return header[header.startIndex + 18] == 2
    }

    /// The folder of values too large for the file.
    package var externalDataFolder: URL {
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
    }

    /// Bytes of the store: file, log and external values.
    package var sizeOnDisk: Int {
        let external = (try? FileManager.default.contentsOfDirectory(atPath: externalDataFolder.path)) ?? []
        let paths = [url.path, url.path + "-wal"] + external.map { externalDataFolder.appendingPathComponent($0).path }
        return paths.reduce(0) { total, path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return total + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}
