package import Foundation
package import OpenCoreData

/// What a check of a store found, as a table and as JSON.
package struct CheckReport {
    /// What breaks the rules of a store.
    package let findings: [StoreFinding]
    /// Values that the model does not allow.
    package let values: [ValueFinding]

    package init(_ findings: [StoreFinding], values: [ValueFinding] = []) {
        self.findings = findings
        self.values = values
    }

    /// Checks the store at `url` against the model of its data.
    ///
    /// - Parameter progress: Called with numbers of checks; an error of it ends the work.
    /// - Throws: When the file cannot be opened, or has not the tables of the model.
    package init(
        storeAt url: URL, model: NSManagedObjectModel, progress: ProgressHandler = { _, _ in }
    ) throws {
        let address = StoreAddress(url: url)
        findings = try address.findings(model: model) { try progress($0, $1 + 1) }
        if !address.isSQLite {
            let isOther = findings.contains { $0.kind == .damage || $0.kind == .versionHash }
            values = isOther ? [] : try MissingValues(storeAt: url, model: model).find()
            return
        }
        // What can't be read, or distinguished, has no values.
        let isUnreadable = findings.contains {
            $0.kind == .damage || $0.kind == .entityNumber && $0.table == "Z_PRIMARYKEY"
        }
        values = isUnreadable ? [] : try ValueChecker.findings(inStoreAt: url, model: model)
    }

    package var isEmpty: Bool { findings.isEmpty && values.isEmpty }

    /// Whether something is damaged, and not only as an app left it.
    package var hasDamage: Bool { findings.contains { $0.level == .damage } || values.contains { $0.level == .damage } }

    package var table: TextTable {
        var table = TextTable(
            columns: [
                .init("LEVEL"), .init("KIND"), .init("TABLE"), .init("ROW", .right),
                .init("WHAT IS WRONG", isWhole: true),
            ])
        for finding in findings {
            table.append([
                finding.level.rawValue, finding.kind.rawValue, finding.table ?? "–",
                finding.row.map(String.init) ?? "–", finding.message,
            ])
        }
        for value in values {
            table.append([
                value.level.rawValue, value.kind.rawValue, value.table, String(value.row),
                "\(value.object): \(value.message)",
            ])
        }
        return table
    }

    package var json: JSONValue {
        .array(
            findings.map { finding in
                [
                    "level": .string(finding.level.rawValue),
                    "kind": .string(finding.kind.rawValue),
                    "table": JSONValue(finding.table),
                    "row": finding.row.map(JSONValue.integer) ?? .null,
                    "message": .string(finding.message),
                ]
            }
                + values.map { value in
                    [
                        "level": .string(value.level.rawValue),
                        "kind": .string(value.kind.rawValue),
                        "table": .string(value.table),
                        "row": .integer(value.row),
                        "object": .string(value.object),
                        "property": .string(value.property),
                        "message": .string(value.message),
                    ]
                })
    }
}
