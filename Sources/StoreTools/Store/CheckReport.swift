package import OpenCoreData

/// What a check of a store found, as a table and as JSON.
package struct CheckReport {
    package let findings: [StoreFinding]

    package init(_ findings: [StoreFinding]) {
        self.findings = findings
    }

    package var isEmpty: Bool { findings.isEmpty }

    package var table: TextTable {
        var table = TextTable(
            columns: [.init("KIND"), .init("TABLE"), .init("ROW", .right), .init("WHAT IS WRONG", isWhole: true)])
        for finding in findings {
            table.append([
                finding.kind.rawValue, finding.table ?? "–", finding.row.map(String.init) ?? "–", finding.message,
            ])
        }
        return table
    }

    package var json: JSONValue {
        .array(
            findings.map { finding in
                [
                    "kind": .string(finding.kind.rawValue),
                    "table": JSONValue(finding.table),
                    "row": finding.row.map(JSONValue.integer) ?? .null,
                    "message": .string(finding.message),
                ]
            })
    }
}
