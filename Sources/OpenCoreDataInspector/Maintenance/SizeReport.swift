#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// How many bytes the parts of a store take: tables, indexes, files of large values.
enum SizeReport {
    static func json(storeURL url: URL, model: NSManagedObjectModel) throws -> JSONValue {
        let facts = try StoreFacts(url: url)
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        let entities = Dictionary(
            model.entities.filter { $0.superentity == nil }.map {
                ("Z" + $0.displayName.uppercased(), $0.displayName)
            },
            uniquingKeysWith: { first, _ in first })
        return [
            "file": JSONValue(size(ofFile: url.path)), "log": JSONValue(size(ofFile: url.path + "-wal")),
            "free": .integer(
                try number("PRAGMA freelist_count", connection) * number("PRAGMA page_size", connection)),
            "external": external(facts.externalDataFolder),
            "parts": try parts(connection, entities) ?? .null,
        ]
    }

    /// Bytes by table and index; nil where SQLite is built without the means to find out.
    private static func parts(_ connection: SQLiteConnection, _ entities: [String: String]) throws -> JSONValue? {
        let sql = """
            SELECT d.name, sum(d.pgsize), coalesce(m.type, 'table'), coalesce(m.tbl_name, d.name) \
            FROM dbstat d LEFT JOIN sqlite_master m ON m.name = d.name \
            WHERE d.aggregate = TRUE GROUP BY d.name ORDER BY 2 DESC
            """
        guard let rows = try? connection.rows(sql) else { return nil }
        return .array(
            rows.compactMap { row in
                guard case .text(let name) = row[0], case .integer(let bytes) = row[1],
                    case .text(let kind) = row[2],
                    case .text(let table) = row[3]
                else { return nil }
                return [
                    "name": .string(name), "bytes": .integer(bytes), "kind": .string(kind), "table": .string(table),
                    "entity": JSONValue(entities[table]),
                ]
            })
    }

    private static func external(_ folder: URL) -> JSONValue {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let bytes = names.reduce(0) { $0 + size(ofFile: folder.appendingPathComponent($1).path) }
        return ["count": JSONValue(names.count), "bytes": JSONValue(bytes)]
    }

    private static func size(ofFile path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func number(_ sql: String, _ connection: SQLiteConnection) throws -> Int64 {
        guard case .integer(let number)? = try connection.firstValue(sql) else { return 0 }
        return number
    }
}
#endif
