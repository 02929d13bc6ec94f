import Foundation

/// The tables of a database as they are, and the entity numbers that it has given out.
package struct StoredLayout: Sendable {
    /// The columns of each table in the file's order.
    package let tables: [String: [String]]
    /// Entity numbers by name, from `Z_PRIMARYKEY`.
    ///
    /// A migrated store can have old names.
    package let entityNumbers: [String: Int]
    /// The file, for errors.
    package let path: String

    package init(tables: [String: [String]], entityNumbers: [String: Int], path: String) {
        self.tables = tables
        self.entityNumbers = entityNumbers
        self.path = path
    }

    func has(table: String) -> Bool { tables[table] != nil }

    func has(column: String, in table: String) -> Bool { tables[table]?.contains(column) ?? false }

    /// The names of a table's columns that consist of a prefix, a number of digits, and a suffix of digits.
    ///
    /// - Parameters:
    ///   - prefix: What the name begins with.
    ///   - number: Whether digits follow the prefix.
    ///   - body: What comes then.
    ///   - table: The table.
    func columns(prefix: String, number: Bool, body: String, in table: String) -> [String] {
        (tables[table] ?? []).filter { Self.matches($0, prefix: prefix, number: number, body: body) }
    }

    static func matches(_ name: String, prefix: String, number: Bool, body: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        var rest = name.dropFirst(prefix.count)
        if number {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(digits.count)
        }
        return rest.hasPrefix(body) && rest.dropFirst(body.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
}
