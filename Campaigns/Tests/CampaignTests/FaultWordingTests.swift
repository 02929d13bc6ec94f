import Foundation
import Testing

/// A call of the system that fails while a store is opened, read, saved or migrated is reported as what it was, with the
/// file, and never as damage or as a model that is missing; afterwards all goes on.
@Suite(.serialized) struct FaultWordingTests {
    private static let calls = [1, 2, 3, 4, 6, 9, 13, 19, 28, 41, 60]

    private static let operations: [(kind: String, types: [String])] = [
        ("open", ["SQLite", "XML", "Binary"]), ("fetch", ["SQLite"]), ("save", ["SQLite", "XML", "Binary"]),
        ("savePicture", ["SQLite"]), ("checkpoint", ["SQLite"]), ("automaticMigration", ["SQLite"]),
        ("tableMigration", ["SQLite"]), ("objectMigration", ["SQLite", "XML"]),
    ]

    @Test(arguments: ["EIO", "ENOSPC"]) func whatTheDiskReportsIsTold(_ effect: String) throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        var files: [String] = []
        for (kind, types) in Self.operations {
            for type in types {
                for call in Self.calls {
                    let input =
                        #"{"operation":{"kind":"\#(kind)","storeType":"\#(type)"},"call":\#(call),"effect":"\#(effect)","#
                        + #""isForever":false}"#
                    let report: [String: Any] = [
                        "campaign": "faults", "seed": 0, "index": call, "commit": "", "title": "", "detail": "",
                        "input": input,
                    ]
                    let file = tool.folder.appendingPathComponent("\(kind)-\(type)-\(call).json")
                    try JSONSerialization.data(withJSONObject: report).write(to: file)
                    files.append(file.path)
                }
            }
        }
        let outcome = try tool(["replay"] + files)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.split(separator: "\n").count { $0.hasSuffix(" passes") } == files.count)
    }
}
