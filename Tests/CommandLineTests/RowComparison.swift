import Foundation
import TestSupport
import Testing

/// Compares what two stores have, row by row as SQLite has it: values, foreign keys, join tables, orders and version
/// hashes. Nothing of the library's is used.
///
/// Keys are others in a store that was imported. Which row became which is known from two exports.
struct RowComparison {
    let original: URL
    let copy: URL
    /// The new key for each key of a table.
    private(set) var keys: [String: [Int: Int]] = [:]
    /// The table of each entity, by number.
    private(set) var tables: [Int: String] = [:]
    /// The columns of what an export shows of each entity, by the entity's number.
    private(set) var shown: [Int: Set<String>] = [:]

    /// - Parameter exports: Of the original and of the copy, whose objects are in the same order.
    init(original: URL, copy: URL, exports: (String, String)) throws {
        (self.original, self.copy) = (original, copy)
        var numbers: [String: (own: Int, parent: Int)] = [:]
        for row in try Self.rows("SELECT Z_NAME, Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000", on: copy) {
            numbers[row[0]] = (Int(row[1]) ?? 0, Int(row[2]) ?? 0)
        }
        let names = Dictionary(uniqueKeysWithValues: numbers.map { ($0.value.own, $0.key) })
        for (name, number) in numbers {
            var (root, parent) = (name, number.parent)
            while parent != 0, let next = names[parent] { (root, parent) = (next, numbers[next]?.parent ?? 0) }
            tables[number.own] = "Z\(root.uppercased())"
        }
        let objects = try Self.objects(inExport: exports.0)
        for (entity, objects) in objects {
            guard let number = numbers[entity]?.own, let first = objects.first else { continue }
            shown[number] = Self.columns(of: first)
        }
        let (before, after) = (Self.keys(objects), Self.keys(try Self.objects(inExport: exports.1)))
        for (entity, old) in before {
            guard let number = numbers[entity]?.own, let table = tables[number] else { continue }
            let pairs = zip(old, try #require(after[entity]))
            keys[table, default: [:]].merge(pairs.map { ($0, $1) }) { first, _ in first }
        }
    }

    func check() throws {
        try checkHashes()
        for table in Set(tables.values).sorted() where try has(table, original) {
            let columns = Set(try self.columns(of: table, original)).intersection(try self.columns(of: table, copy))
            for column in columns.sorted() where try column != "Z_ENT" && hasIndex(on: column, of: table) {
                try checkForeignKeys(column, of: table)
            }
            for order in columns.sorted() where order.hasPrefix("Z_FOK_") {
                let column = "Z" + order.dropFirst("Z_FOK_".count)
                if columns.contains(column) { try checkOrder(order, of: column, in: table) }
            }
        }
        try checkJoinTables()
    }

    // MARK: Hashes

    private func checkHashes() throws {
        guard try Self.rows("SELECT count(*) FROM sqlite_master WHERE name = 'Z_MODELCACHE'", on: original)[0] == ["1"]
        else { return }
        #expect(try hashes(original) == hashes(copy))
    }

    private func hashes(_ store: URL) throws -> [String: Data]? {
        let hex = try SQLiteShell.run("SELECT hex(Z_PLIST) FROM Z_METADATA", on: store)
        var bytes = Data()
        var rest = hex[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        let list = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        return list?["NSStoreModelVersionHashes"] as? [String: Data]
    }

    // MARK: Columns

    /// The keys stand for rows of one of the tables; references to rows that are not there are gone.
    private func checkForeignKeys(_ column: String, of table: String) throws {
        let statement = "SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL ORDER BY Z_PK"
        let (before, after) = (try Self.numbers(statement, on: original), try Self.numbers(statement, on: copy))
        let found = Set(after)
        let isEqual = keys.values.contains { destinations in
            let expected = before.compactMap { row -> [Int]? in
                guard let key = keys[table]?[row[0]], let destination = destinations[row[1]] else { return nil }
                return [key, destination]
            }
            return Set(expected) == found
        }
        #expect(
            isEqual || before.isEmpty && after.isEmpty, "\(table).\(column): \(before.count) and \(after.count) links")
    }

    private func checkOrder(_ order: String, of column: String, in table: String) throws {
        let statement =
            "SELECT \(column), Z_PK, \(order) IS NULL FROM \(table) WHERE \(column) IS NOT NULL "
            + "ORDER BY \(column), \(order), Z_PK"
        let before = Dictionary(grouping: try Self.numbers(statement, on: original)) { $0[0] }
        let after = Dictionary(grouping: try Self.numbers(statement, on: copy)) { $0[0] }
        let found = Set(after.values.map { $0.map { $0[1] } })
        for (parent, rows) in before where rows.allSatisfy({ $0[2] == 0 }) {
            let members = rows.compactMap { keys[table]?[$0[1]] }
            // The parent may be gone.
            guard keys.values.contains(where: { $0[parent] != nil }) else { continue }
            #expect(found.contains(members), "\(table).\(order) of \(parent)")
        }
    }

    // MARK: Join tables

    private func checkJoinTables() throws {
        let names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
        let copies = try Self.rows(names, on: copy).map { $0[0] }
        for name in try Self.rows(names, on: original).map({ $0[0] }) {
            let before = try links(name, original, isMapped: true)
            guard !before.isEmpty else { continue }
            // The table may be named after the other side, and have its columns the other way round.
            let found = try copies.contains { other in
                let after = try links(other, copy, isMapped: false)
                return after == before || Set(after.map { [$0[1], $0[0]] }) == Set(before)
            }
            #expect(found, "\(name): \(before.count) links")
        }
    }

    /// The two keys of each row, by owner and in its order where there is one.
    private func links(_ name: String, _ store: URL, isMapped: Bool) throws -> [[Int]] {
        let columns = try self.columns(of: name, store)
        let ends = columns.filter { !$0.hasPrefix("Z_FOK_") }
        let order = columns.first { $0.hasPrefix("Z_FOK_") }
        guard ends.count == 2 else { return [] }
        // The column with an order holds the members.
        let member = order.map { "Z_\($0.dropFirst("Z_FOK_".count))" }
        let owner = member.flatMap { member in ends.first { $0 != member } }
        let position = order.map { ", \($0)" } ?? ""
        let rows = try Self.numbers(
            "SELECT \(ends[0]), \(ends[1]) FROM \(name) ORDER BY \(owner ?? ends[0])\(position), 1, 2", on: store)
        guard isMapped else {
            return owner == nil ? rows.sorted { $0.lexicographicallyPrecedes($1) } : grouped(rows, owner == ends[1])
        }
        let maps = ends.map { end in
            number(in: end).flatMap { tables[$0] }.flatMap { keys[$0] }
                ?? number(in: ends[0]).flatMap { tables[$0] }.flatMap { keys[$0] } ?? [:]
        }
        let mapped = rows.compactMap { row -> [Int]? in
            guard let first = maps[0][row[0]], let second = maps[1][row[1]] else { return nil }
            return [first, second]
        }
        return owner == nil ? mapped.sorted { $0.lexicographicallyPrecedes($1) } : grouped(mapped, owner == ends[1])
    }

    /// Rows by owner, those of each in their order.
    private func grouped(_ rows: [[Int]], _ ownerIsSecond: Bool) -> [[Int]] {
        let groups = Dictionary(grouping: rows) { $0[ownerIsSecond ? 1 : 0] }
        return groups.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private func number(in column: String) -> Int? {
        Int(column.drop { !$0.isNumber }.prefix { $0.isNumber })
    }

    // MARK: SQL

    func has(_ table: String, _ store: URL) throws -> Bool {
        try Self.rows("SELECT 1 FROM sqlite_master WHERE name = '\(table)'", on: store) == [["1"]]
    }

    private func hasIndex(on column: String, of table: String) throws -> Bool {
        try Self.rows("SELECT 1 FROM sqlite_master WHERE name = '\(table)_\(column)_INDEX'", on: copy) == [["1"]]
    }

    func columns(of table: String, _ store: URL) throws -> [String] {
        try Self.rows("SELECT name FROM pragma_table_info('\(table)')", on: store).map { $0[0] }
    }

    static func rows(_ sql: String, on store: URL) throws -> [[String]] {
        try SQLiteShell.run(sql, on: store).split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static func numbers(_ sql: String, on store: URL) throws -> [[Int]] {
        try rows(sql, on: store).map { $0.map { Int($0) ?? 0 } }
    }

    private static func objects(inExport path: String) throws -> [String: [[String: Any]]] {
        let document = try JSONSerialization.jsonObject(with: try Data(contentsOf: URL(fileURLWithPath: path)))
        return try #require((document as? [String: Any])?["entities"] as? [String: [[String: Any]]])
    }

    /// The columns of an object's properties; for a composite attribute those of its elements.
    private static func columns(of object: [String: Any]) -> Set<String> {
        object.reduce(into: []) { result, member in
            if let elements = member.value as? [String: Any] { result.formUnion(columns(of: elements)) }
            result.insert("Z" + member.key.uppercased())
        }
    }

    private static func keys(_ objects: [String: [[String: Any]]]) -> [String: [Int]] {
        objects.mapValues { objects in
            objects.map { object in
                let name = object["objectID"] as? String ?? ""
                return name.split(separator: "/").last.flatMap { Int($0.dropFirst()) } ?? 0
            }
        }
    }
}
