import CampaignCore
import Foundation
import OpenCoreData

/// Damages a SQLite store with statements: what SQLite takes for sound and Core Data never writes.
struct SQLDamage {
    private let connection: SQLiteConnection
    private var random: SplitMix64

    /// - Parameter url: A closed store, which is changed.
    static func run(_ damage: StoreDamage, at url: URL, _ random: SplitMix64) throws {
        let connection = try SQLiteConnection(path: url.path, configuration: .init(access: .readWrite))
        defer { connection.close() }
        var work = SQLDamage(connection: connection, random: random)
        for _ in 0...(work.random.chance(70) ? 0 : work.random.below(4)) {
            // A statement that a constraint forbids is no damage.
            do { try work.run(damage) } catch is SQLiteError {}
        }
    }

    private mutating func run(_ damage: StoreDamage) throws {
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        .compactMap { row -> String? in if case .text(let name)? = row.first { name } else { nil } }
        let isService: (String) -> Bool = {
            $0.hasPrefix("Z_") && !$0.dropFirst(2).allSatisfy(\.isNumber) && $0.dropFirst(2).first?.isNumber != true
                || $0.hasPrefix("ACHANGE") || $0.hasPrefix("ATRANS")
        }
        switch damage {
        case .service:
            if random.chance(12) { return try changeSchema(names) }
            try change(random.pick(names.filter(isService)))
        case .types: try change(random.pick(names.filter { !isService($0) }))
        case .modelCopy: try changeModelCopy()
        case .external: try changeExternalColumn()
        default: break
        }
    }

    private mutating func value() -> SQLValue {
        switch random.below(10) {
        case 0: .null
        case 1, 2:
            .integer(
                random.pick([
                    0, 1, -1, 2, 3, 127, 255, 32_768, -32_769, 1 << 31, 1 << 32, .max, .min, .max - 1,
                    Int64(truncatingIfNeeded: random.next()),
                ]))
        case 3, 4: .real(random.pick([0.5, -1.5, 1e300, -1e300, 9.3e18, .infinity, -.infinity, 1e-300]))
        case 5, 6:
            .text(
                random.pick([
                    "", "a", "1", "-1.5", "é\u{0}x", "NaN", "2026-01-01", String(repeating: "x", count: 3_000),
                ]))
        default: .blob(Data(random.bytes(random.pick([0, 1, 2, 15, 16, 17, 38, 300]))))
        }
    }

    /// Changes one value, drops a row, or adds one of senseless values.
    private mutating func change(_ table: String) throws {
        let columns = try connection.rows("PRAGMA table_info(\"\(table)\")").compactMap { row -> String? in
            if case .text(let name) = row[1] { name } else { nil }
        }
        guard !columns.isEmpty else { return }
        let keys = try connection.rows("SELECT rowid FROM \"\(table)\"").compactMap { $0.first }
        if keys.isEmpty || random.chance(8) {
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            try connection.run("INSERT INTO \"\(table)\" VALUES (\(marks))", columns.map { _ in value() })
        } else if random.chance(10) {
            try connection.run("DELETE FROM \"\(table)\" WHERE rowid = ?", [random.pick(keys)])
        } else {
            let whole = random.chance(15)
            let sql = "UPDATE OR IGNORE \"\(table)\" SET \"\(random.pick(columns))\" = ?"
            try connection.run(sql + (whole ? "" : " WHERE rowid = ?"), [value()] + (whole ? [] : [random.pick(keys)]))
        }
    }

    private mutating func changeSchema(_ names: [String]) throws {
        let table = random.pick(names)
        switch random.below(4) {
        case 0: try connection.run("DROP TABLE \"\(table)\"")
        case 1: try connection.run("DELETE FROM \"\(table)\"")
        case 2: try connection.run("ALTER TABLE \"\(table)\" RENAME TO \"\(table)X\"")
        default:
            let columns = try connection.rows("PRAGMA table_info(\"\(table)\")").map { $0[1] }
            guard case .text(let column) = random.pick(columns) else { return }
            try connection.run("ALTER TABLE \"\(table)\" RENAME COLUMN \"\(column)\" TO \"\(column)X\"")
        }
    }

    private mutating func changeModelCopy() throws {
        let (table, column) = random.pick([("Z_MODELCACHE", "Z_CONTENT"), ("Z_METADATA", "Z_PLIST")])
        guard case .blob(let data)? = try connection.firstValue("SELECT \(column) FROM \(table)") else { return }
        try connection.run(
            "UPDATE \(table) SET \(column) = ?", [.blob(ByteDamage.damaged(data, &random, unit: 64))])
    }

    private mutating func changeExternalColumn() throws {
        let name = random.pick([
            UUID().uuidString, "../../../../../../etc/passwd", String(repeating: "A", count: 36), "..", "",
        ])
        let data = random.pick([
            Data([2]) + Data(name.utf8) + Data([0]), Data([2]) + Data(name.utf8), Data([3]) + Data(name.utf8),
            Data([1]),
            Data([2]), Data(), Data([0]), Data(repeating: 2, count: 38),
        ])
        try connection.run("UPDATE ZACCOUNT SET ZPICTURE = ?", [.blob(data)])
    }
}
