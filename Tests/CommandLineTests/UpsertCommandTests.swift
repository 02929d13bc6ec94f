import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What `upsert` takes for a key, for a value and for a change.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct UpsertCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., status: Int32 = 0) throws -> String {
        let result = try CommandRunner.run(arguments)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        return status == 0 ? result.output : result.errors
    }

    private func upsert(
        _ store: String, _ name: String, _ text: String, key: String = "name", entity: String = "Item",
        options: [String] = [], status: Int32 = 0
    ) throws -> String {
        let file = folder.file(name)
        try Data(text.utf8).write(to: file)
        let result = try CommandRunner.run(["upsert", store, entity, file.path, "--key", key] + options)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        return status == 0 ? result.output : result.errors
    }

    @Test(arguments: ["csv", "json"]) func decimalsAreKeys(_ format: String) throws {
        let store = try ItemStore.make(
            in: folder,
            [
                ("Item", ["name": "one", "price": NSDecimalNumber(string: "1.5")]),
                ("Item", ["name": "two", "price": NSDecimalNumber(string: "2.5")]),
            ])
        let texts = [
            "csv": "price,name\n1.50,one\n2.5,zwei\n3,three\n",
            "json": #"""
            [{"price": "1.50", "name": "one"}, {"price": 2.5, "name": "zwei"}, {"price": 3, "name": "three"}]
            """#,
        ]
        let text = texts[format] ?? ""
        #expect(
            try upsert(store, "x.\(format)", text, key: "price") == "1 inserted, 1 updated, 1 unchanged.\n")
        #expect(try upsert(store, "x.\(format)", text, key: "price") == "0 inserted, 0 updated, 3 unchanged.\n")
        #expect(try ItemStore.values(of: "price", in: store)["zwei"] as? NSDecimalNumber == 2.5)
    }

    /// Letters that look the same may be one scalar or two.
    @Test func stringsAreComparedByTheirScalars() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let store = try ItemStore.make(in: folder, [("Item", ["name": composed, "code": composed])])
        let lines =
            "{\"name\": \"\(decomposed)\", \"code\": \"x\"}\n"
            + "{\"name\": \"\(composed)\", \"code\": \"\(decomposed)\"}\n"
        #expect(try upsert(store, "x.ndjson", lines) == "1 inserted, 1 updated, 0 unchanged.\n")
        let codes = try objects(in: run("list", store, "Item", "--format", "ndjson"))
            .compactMap { $0["code"] as? String }
        #expect(codes.contains { Array($0.unicodeScalars) == Array(decomposed.unicodeScalars) })
        #expect(try upsert(store, "x.ndjson", lines) == "0 inserted, 0 updated, 2 unchanged.\n")
    }

    private func objects(in string: String) throws -> [[String: Any]] {
        try string.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func aStringOfCSVIsTheFieldItself() throws {
        let store = try ItemStore.make(in: folder, [("Item", ["name": "q", "code": "old", "weight": Float(1)])])
        let text =
            "name,code,raw,ice,weight\r\nq,,,,\r\n\"\"\"Heroes\"\"\",null,null,null,2\r\n"
            + "\"\"\"\\u0041\"\"\",\"\",,\"{\"\"a\"\"}\",3\r\n"
        #expect(try upsert(store, "x.csv", text) == "2 inserted, 1 updated, 0 unchanged.\n")
        let codes = try ItemStore.values(of: "code", in: store)
        #expect(codes["q"] == nil && codes["\"Heroes\""] as? String == "null")
        #expect(codes["\"\\u0041\""] as? String == "")
        #expect(try ItemStore.values(of: "raw", in: store)["\"Heroes\""] as? Data == Data(base64Encoded: "null"))
        let ice = try ItemStore.values(of: "ice", in: store).mapValues { ($0 as? [String: Any])?["ice"] as? String }
        #expect(ice["\"Heroes\""] == "null" && ice["\"\\u0041\""] == "{\"a\"}")
        // What is exported comes back.
        let csv = try run("export", store, "--entity", "Item", "--format", "csv", "-o", "-")
        #expect(try upsert(store, "y.csv", csv) == "0 inserted, 0 updated, 3 unchanged.\n")
    }

    @Test(arguments: ["csv", "ndjson"]) func aStoresOwnExportChangesNothing(_ format: String) throws {
        let store = try ItemStore.make(
            in: folder,
            [
                (
                    "Item",
                    [
                        "name": "a", "price": NSDecimalNumber(string: "0.10"), "weight": Float(0.1),
                        "since": Date(timeIntervalSinceReferenceDate: 1.25), "raw": Data([1, 2]), "picture": Data([3]),
                        "place": ["street": "High", "number": 3], "ice": ["ice": "cubed"],
                        "drink": ["silverFizz": "silverFizz"],
                        "extra": ["flag": true, "n": 1, "x": 1.5, "list": ["a b", "c"], "none": NSNull()]
                            as [String: Any],
                    ]
                ),
                (
                    "Item",
                    [
                        "name": "b",
                        "extra": ["when": Date(timeIntervalSinceReferenceDate: 5), "on": true] as [String: Any],
                    ]
                ),
                ("Item", ["name": "c", "extra": ["x", "y"], "link": URL(string: "https://a.b/c") as Any]),
                ("Item", ["name": "d", "extra": [Any]()]),
                ("Item", ["name": "e", "extra": NSSet(array: [3, 1, "x"])]),
            ])
        let text = try run("export", store, "--entity", "Item", "--format", format, "-o", "-")
        #expect(try upsert(store, "x.\(format)", text) == "0 inserted, 0 updated, 5 unchanged.\n", "\(text)")
        let extra = try #require(try ItemStore.values(of: "extra", in: store)["a"] as? [String: Any])
        #expect(extra["flag"] as? NSNumber === true as NSNumber)
        #expect(String(cString: (extra["n"] as? NSNumber ?? true).objCType) != "c")
        // A change of only the type is one.
        let changed = text.replacingOccurrences(of: "\"flag\": true", with: "\"flag\": 1")
        if format == "ndjson" {
            #expect(try upsert(store, "y.\(format)", changed) == "0 inserted, 1 updated, 4 unchanged.\n")
        }
    }

    @Test(arguments: [
        ("x.csv", "name,weight,name\na,1,b\n", "names the column name twice"),
        ("x.json", #"[{"name": "a", "weight": 1, "weight": 2}]"#, "the name \"weight\" appears twice"),
        ("x.json", #"[{"name": "a", "weight": 1e300}]"#, "too large for the attribute weight"),
        ("x.json", #"[{"name": "a", "entity": "Nothing"}]"#, "no entity named Nothing"),
        ("x.json", #"[{"name": "a", "entity": 3}]"#, "Record 1 has a number"),
        ("x.json", #"[{"name": "a", "age": 3}]"#, "has no property named age, but Rare has."),
    ])
    func whatCannotBeMeantIsRefused(_ name: String, _ text: String, _ mention: String) throws {
        let store = try ItemStore.make(in: folder, [("Item", ["name": "a"])])
        let errors = try upsert(store, name, text, status: 1)
        #expect(errors.contains(mention), "\(errors)")
        #expect(errors.hasSuffix("Nothing was changed.\n"))
    }

    @Test func recordsMayNameASubentity() throws {
        let store = try ItemStore.make(in: folder, [("Item", ["name": "a"])])
        let text = #"[{"entity": "Rare", "name": "b", "age": 3}, {"entity": "Item", "name": "a", "code": "x"}]"#
        #expect(try upsert(store, "x.json", text) == "1 inserted, 1 updated, 0 unchanged.\n")
        #expect(try run("count", store, "Rare", "--where", "age == 3") == "1\n")
        let other = try upsert(store, "x.json", #"[{"entity": "Rare", "name": "a"}]"#, status: 1)
        #expect(other.contains("Record 1 is of the entity Rare, but Item/p"), "\(other)")
        let parent = try upsert(store, "x.json", #"[{"entity": "Item", "name": "b"}]"#, entity: "Rare", status: 1)
        #expect(parent.contains("which isn't Rare"), "\(parent)")
    }

    @Test func nullsInListsStay() throws {
        let store = try ItemStore.make(in: folder, [("Item", ["name": "a"])])
        _ = try upsert(store, "x.json", #"[{"name": "a", "extra": ["x", null, {"y": null}]}]"#)
        let list = try objects(in: run("list", store, "Item", "--format", "ndjson")).first?["extra"] as? [Any]
        #expect(list?.count == 3 && list?[1] is NSNull && (list?[2] as? [String: Any])?["y"] is NSNull)
    }

    @Test func keysThatHavePartsAreRefused() throws {
        let store = try ItemStore.make(in: folder, [("Item", ["name": "a"])])
        for key in ["place", "extra"] {
            #expect(try upsert(store, "x.csv", "name\na\n", key: key, status: 1).contains("\(key) can't be a key"))
        }
    }

    /// A dry run says what the save would be refused for.
    @Test func dryRunsCheckUniqueValues() throws {
        let store = try ItemStore.make(
            in: folder, [("Item", ["name": "a", "code": "x"]), ("Rare", ["name": "b", "code": "y"])])
        let taken = try upsert(store, "x.csv", "name,code\na,y\n", options: ["--dry-run"], status: 1)
        #expect(taken.contains("has the same code \"y\", which must be unique"), "\(taken)")
        let twice = try upsert(store, "x.csv", "name,code\nc,z\nd,z\n", options: ["--dry-run"], status: 1)
        #expect(twice.contains("another object has the same code \"z\""), "\(twice)")
        // Exchanged in one save, they are unique.
        let exchanged = try upsert(store, "x.csv", "name,code\na,y\nb,x\n", options: ["--dry-run"])
        #expect(exchanged.hasPrefix("0 inserted, 2 updated"))
        // Also where the records are more than fit into memory at once.
        let rows = (0..<1_200).map { "n\($0),c\($0 == 1_100 ? 3 : $0)" }.joined(separator: "\n")
        let many = try upsert(store, "x.csv", "name,code\n\(rows)\n", options: ["--dry-run"], status: 1)
        #expect(many.contains("has the same code \"c3\""), "\(many)")
        let list = try objects(in: run("list", store, "Item", "--where", "name == 'a'", "--format", "ndjson"))
        let object = try #require(list.first?["objectID"] as? String)
        #expect(try run("set", store, object, "code=y", "--dry-run", status: 1).contains("must be unique"))
        #expect(try run("insert", store, "Rare", "code=x", "--dry-run", status: 1).contains("must be unique"))
        #expect(try run("insert", store, "Rare", "code=w", "--dry-run").contains("Nothing was saved"))
        #expect(try run("set", store, object, "code=x", "name=new", "--dry-run").contains("Nothing was saved"))
    }
}
