import Foundation
import TestSupport
import Testing

/// Exports a store, imports that into a new one, and compares the two object by object.
struct RoundTrip {
    let folder: TemporaryFolder
    let store: String
    let modelArguments: [String]

    func check() throws {
        let (first, second) = (folder.file("first.json").path, folder.file("second.json").path)
        let copy = folder.file("copy.sqlite").path
        let export = try CommandRunner.run(["export", store, "--output", first] + modelArguments)
        #expect(export.status == 0, "\(export.errors)")
        #expect(export.output.isEmpty)
        // Values in files that were not published with the store.
        let messages = export.errors.split(separator: "\n")
        #expect(messages.first?.hasPrefix("Exported ") == true)
        #expect(messages.dropFirst().allSatisfy { $0.contains("warning") && $0.contains("doesn't exist") })

        // The export contains the model. Some stores hold objects that their model does not allow.
        let importing = try CommandRunner.run(["import", copy, first, "--skip-validation"])
        #expect(importing.status == 0, "\(importing.errors)")
        guard export.status == 0, importing.status == 0 else { return }

        #expect(try CommandRunner.run("export", copy, "--output", second).status == 0)
        let (expected, found) = (try objects(inExport: first), try objects(inExport: second))
        #expect(expected.keys.sorted() == found.keys.sorted())
        for entity in expected.keys.sorted() {
            let (left, right) = (expected[entity] ?? [], found[entity] ?? [])
            try #require(left.count == right.count, "\(entity)")
            if let index = left.indices.first(where: { left[$0] != right[$0] }) {
                Issue.record("\(entity) \(index): \(left[index]) became \(right[index])")
            }
        }
        let check = try CommandRunner.run("check", copy, "--json")
        let findings = try check.json() as? [[String: Any]] ?? []
        #expect(findings.allSatisfy { $0["kind"] as? String == "missing value" }, "\(check.output)\(check.errors)")
    }

    /// Compares the values of all columns, foreign keys, join tables, orders and version hashes, as SQLite has them, after
    /// `check`.
    func checkRows() throws {
        let comparison = try RowComparison(
            original: URL(fileURLWithPath: store), copy: folder.file("copy.sqlite"),
            exports: (folder.file("first.json").path, folder.file("second.json").path))
        try comparison.check()
        try comparison.checkValues()
    }

    /// The objects of each entity, with references as entity and index, which do not depend on keys.
    private func objects(inExport path: String) throws -> [String: [NSDictionary]] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let entities = try #require(document["entities"] as? [String: [[String: Any]]])
        var names: [String: String] = [:]
        for (entity, objects) in entities {
            for (index, object) in objects.enumerated() {
                names[try #require(object["objectID"] as? String)] = "\(entity) \(index)"
            }
        }
        return entities.mapValues { objects in
            objects.map { object in object.mapValues { normalized($0, names) } as NSDictionary }
        }
    }

    private func normalized(_ value: Any, _ names: [String: String]) -> Any {
        if let string = value as? String { return names[string] ?? string }
        if let array = value as? [Any] { return array.map { normalized($0, names) } as NSArray }
        return value
    }
}
