import Foundation
import TestSupport
import Testing

/// Compares the values of all attributes, row by row and column by column as SQLite has them, with their types.
extension RowComparison {
    func checkValues() throws {
        for table in Set(tables.values).sorted() where try has(table, original) {
            let columns = try self.columns(of: table, original)
            #expect(Set(columns).isSubset(of: try self.columns(of: table, copy)), "\(table)")
            let values = columns.filter { !$0.hasPrefix("Z_") }
            let (before, after) = (try rows(of: table, values, original), try rows(of: table, values, copy))
            #expect(before.count == after.count && before.count == keys[table]?.count ?? 0, "\(table)")
            for (index, column) in values.enumerated() { try check(column, index, of: table, before, after) }
        }
    }

    private struct Row {
        /// The number of the entity.
        let entity: Int
        /// With a letter for the type in front.
        let values: [String]
    }

    private func check(_ column: String, _ index: Int, of table: String, _ before: [Int: Row], _ after: [Int: Row])
        throws
    {
        var differences: [(old: String, new: String)] = []
        for (key, row) in before {
            let newKey = try #require(keys[table]?[key], "\(table) \(key)")
            let newRow = try #require(after[newKey], "\(table) \(newKey)")
            // Rows of an entity may have something in a column of another one.
            guard let shown = shown[newRow.entity], shown.contains(column) || !isProperty(column, of: table) else {
                continue
            }
            let (old, new) = (row.values[index], newRow.values[index])
            if old != new, try !isSameInFiles(old, new) { differences.append((old, new)) }
        }
        if differences.isEmpty || areKeys(differences) { return }
        Issue.record("\(table).\(column): \(differences.count) differ, such as \(differences[0])")
    }

    /// Whether a column is that of a property which an export shows of some entity of the table.
    private func isProperty(_ column: String, of table: String) -> Bool {
        tables.contains { $0.value == table && shown[$0.key]?.contains(column) == true }
    }

    /// Whether values differ as keys of one table do; `check` compares those. What refers to a row that isn't there is gone.
    private func areKeys(_ differences: [(old: String, new: String)]) -> Bool {
        keys.values.contains { keys in
            differences.allSatisfy { old, new in
                guard let key = Int(old.dropFirst()), old.hasPrefix("i") else { return false }
                return keys[key].map { "i\($0)" } ?? "n" == new
            }
        }
    }

    /// Whether two values that are kept in files are the same. One whose file is missing is gone.
    private func isSameInFiles(_ old: String, _ new: String) throws -> Bool {
        guard old.hasPrefix("b02"), let file = file(old, of: original) else { return false }
        guard FileManager.default.fileExists(atPath: file.path) else { return new == "n" }
        guard new.hasPrefix("b02"), let copied = self.file(new, of: copy) else { return false }
        return try Data(contentsOf: file) == Data(contentsOf: copied)
    }

    private func file(_ value: String, of store: URL) -> URL? {
        let bytes = stride(from: 3, to: value.count, by: 2).compactMap { offset in
            let start = value.index(value.startIndex, offsetBy: offset)
            return UInt8(value[start...].prefix(2), radix: 16)
        }
        guard let name = String(bytes: bytes.prefix { $0 != 0 }, encoding: .utf8) else { return nil }
        let stem = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent()
            .appendingPathComponent(".\(stem)_SUPPORT/_EXTERNAL_DATA/\(name)")
    }

    private func rows(of table: String, _ columns: [String], _ store: URL) throws -> [Int: Row] {
        let list = columns.map { name in
            """
            CASE typeof("\(name)") WHEN 'integer' THEN 'i' || "\(name)" WHEN 'real' THEN printf('r%!.20g', "\(name)") \
            WHEN 'text' THEN 't' || hex("\(name)") WHEN 'blob' THEN 'b' || hex("\(name)") ELSE 'n' END
            """
        }
        let statement = "SELECT \((["Z_PK", "Z_ENT"] + list).joined(separator: ", ")) FROM \"\(table)\""
        return try Self.rows(statement, on: store).reduce(into: [:]) { result, row in
            result[Int(row[0]) ?? 0] = Row(entity: Int(row[1]) ?? 0, values: Array(row.dropFirst(2)))
        }
    }
}
