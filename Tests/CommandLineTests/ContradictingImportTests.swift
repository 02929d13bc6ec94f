import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What an import does with objects of which one says what another denies.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct ContradictingImportTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let model: URL

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("Kennels.sqlite")
        model = folder.file("Kennels.mom")
        try Self.model().encodedCompiledModel().write(to: model)
    }

    /// Kennels and dogs: one to many, ordered, one to one, many to many.
    private static func model() -> NSManagedObjectModel {
        let (kennel, dog) = (NSEntityDescription(), NSEntityDescription())
        (kennel.name, dog.name) = ("Kennel", "Dog")
        func relate(_ name: String, _ toMany: Bool, _ inverse: String, _ isInverseToMany: Bool, ordered: Bool = false) {
            kennel.properties.append(
                LibraryModel.relationship(
                    name, to: dog, toMany: toMany, ordered: ordered, rule: .nullifyDeleteRule))
            dog.properties.append(
                LibraryModel.relationship(inverse, to: kennel, toMany: isInverseToMany, rule: .nullifyDeleteRule))
            LibraryModel.pair(kennel, name, dog, inverse)
        }
        kennel.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        dog.properties = [LibraryModel.attribute("name", .stringAttributeType)]
        relate("dogs", true, "kennel", false)
        relate("line", true, "lineOf", false, ordered: true)
        relate("guard", false, "guarded", false)
        relate("guests", true, "hosts", true)
        let model = NSManagedObjectModel()
        model.entities = [kennel, dog]
        return model
    }

    private func importing(_ lines: [String], _ options: String...) throws -> CommandRunner.Result {
        let input = folder.file("in.ndjson")
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        return try CommandRunner.run(["import", store.path, input.path, "--model", model.path] + options)
    }

    private func kennel(_ number: Int, _ members: String) -> String {
        "{\"entity\": \"Kennel\", \"objectID\": \"Kennel/p\(number)\", \"name\": \"K\(number)\", \(members)}"
    }

    private func dog(_ number: Int, _ members: String) -> String {
        "{\"entity\": \"Dog\", \"objectID\": \"Dog/p\(number)\", \"name\": \"D\(number)\", \(members)}"
    }

    private func expectRefused(_ lines: [String], _ mentions: String..., options: [String] = []) throws {
        let input = folder.file("in.ndjson")
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        let result = try CommandRunner.run(["import", store.path, input.path, "--model", model.path] + options)
        #expect(result.status == 1)
        for mention in mentions { #expect(result.errors.contains(mention), "\(result.errors)") }
        #expect(!FileManager.default.fileExists(atPath: store.path))
    }

    @Test(arguments: [[], ["--skip-validation"]]) func sidesThatContradictEachOtherAreRefused(_ options: [String])
        throws
    {
        for (to, back) in [("dogs", "kennel"), ("line", "lineOf")] {
            try expectRefused(
                [kennel(1, "\"\(to)\": [\"Dog/p1\"]"), dog(1, "\"\(back)\": null")],
                "\(to) of Kennel/p1 has Dog/p1, but \(back) of Dog/p1 hasn't Kennel/p1", options: options)
            try expectRefused(
                [dog(1, "\"\(back)\": \"Kennel/p1\""), kennel(1, "\"\(to)\": []")],
                "\(back) of Dog/p1 has Kennel/p1, but \(to) of Kennel/p1 hasn't Dog/p1", options: options)
            try expectRefused(
                [
                    kennel(1, "\"\(to)\": [\"Dog/p1\"]"), kennel(2, "\"\(to)\": []"),
                    dog(1, "\"\(back)\": \"Kennel/p2\""),
                ], "Dog/p1", "Kennel/p", options: options)
            // Nothing is said of the dog's side, and two kennels want it.
            try expectRefused(
                [
                    kennel(1, "\"\(to)\": [\"Dog/p1\"]"), kennel(2, "\"\(to)\": [\"Dog/p1\"]"),
                    dog(1, "\"name\": \"Rex\"")
                        .replacingOccurrences(of: "\"name\": \"D1\", ", with: ""),
                ],
                "\(to) of Kennel/p1 has Dog/p1", options: options)
        }
        try expectRefused(
            [kennel(1, "\"guests\": [\"Dog/p1\"]"), dog(1, "\"hosts\": []")], "guests of Kennel/p1", "hosts of Dog/p1",
            options: options)
    }

    @Test func whatOnlySomeObjectsSayIsKept() throws {
        let result = try importing([
            kennel(1, "\"dogs\": [\"Dog/p1\", \"Dog/p2\"]"), kennel(2, "\"guests\": [\"Dog/p2\"]"),
            dog(1, "\"kennel\": \"Kennel/p1\""), dog(2, "\"guarded\": \"Kennel/p2\""),
            dog(3, "\"kennel\": \"Kennel/p2\""),
        ])
        #expect(result.status == 0, "\(result.errors)")
        let kennels = "SELECT d.ZNAME, k.ZNAME FROM ZDOG d JOIN ZKENNEL k ON k.Z_PK = d.ZKENNEL ORDER BY 1"
        #expect(try SQLiteShell.run(kennels, on: store) == "D1|K1\nD2|K1\nD3|K2")
        let guards = "SELECT k.ZNAME, d.ZNAME FROM ZKENNEL k JOIN ZDOG d ON d.Z_PK = k.ZGUARD AND d.ZGUARDED = k.Z_PK"
        #expect(try SQLiteShell.run(guards, on: store) == "K2|D2")
        #expect(try CommandRunner.run("check", store.path, "--strict").status == 0)
    }

    @Test func aLinkOfOneSideOnlyStaysOne() throws {
        let lines = [
            kennel(1, "\"guard\": \"Dog/p1\""), kennel(2, "\"guard\": \"Dog/p1\""), kennel(3, "\"guard\": null"),
            dog(1, "\"guarded\": null"), dog(2, "\"guarded\": \"Kennel/p3\""),
        ]
        let result = try importing(lines)
        #expect(result.status == 0, "\(result.errors)")
        let own = "SELECT k.ZNAME, d.ZNAME FROM ZKENNEL k JOIN ZDOG d ON d.Z_PK = k.ZGUARD ORDER BY 1"
        #expect(try SQLiteShell.run(own, on: store) == "K1|D1\nK2|D1")
        let back = "SELECT d.ZNAME, k.ZNAME FROM ZDOG d JOIN ZKENNEL k ON k.Z_PK = d.ZGUARDED ORDER BY 1"
        #expect(try SQLiteShell.run(back, on: store) == "D2|K3")
        // Its export says the same, and is imported.
        let (export, copy) = (folder.file("out.json"), folder.file("Copy.sqlite"))
        #expect(try CommandRunner.run("export", store.path, "-o", export.path).status == 0)
        #expect(try CommandRunner.run("import", copy.path, export.path).status == 0)
        for statement in [own, back] {
            #expect(try SQLiteShell.run(statement, on: copy) == SQLiteShell.run(statement, on: store))
        }
    }

    @Test func whatIsThereTwiceIsRefused() throws {
        try expectRefused(
            [kennel(1, "\"dogs\": [\"Dog/p1\", \"Dog/p1\"]"), dog(1, "\"kennel\": \"Kennel/p1\"")], "Kennel/p1", "dogs")
        try expectRefused([kennel(1, "\"dogs\": []"), kennel(1, "\"dogs\": []")], "Kennel/p1", "twice")
        try expectRefused([kennel(1, "\"dogs\": [], \"dogs\": []")], "line 1", "dogs")
    }

    @Test func ordersAreKept() throws {
        let result = try importing([
            kennel(1, "\"line\": [\"Dog/p3\", \"Dog/p1\", \"Dog/p2\"]"),
            dog(1, "\"lineOf\": \"Kennel/p1\""), dog(2, "\"lineOf\": \"Kennel/p1\""),
            dog(3, "\"lineOf\": \"Kennel/p1\""),
        ])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZDOG ORDER BY Z_FOK_LINEOF", on: store) == "D3\nD1\nD2")
    }

    @Test func referencesToNothingAreRefusedOrLeftOutWithAWarning() throws {
        let lines = [
            kennel(1, "\"dogs\": [\"Dog/p1\"]"), dog(1, "\"kennel\": \"Kennel/p1\""),
            dog(2, "\"kennel\": \"Kennel/p9\""),
        ]
        try expectRefused(lines, "Dog/p2: kennel", "Kennel/p9", "--skip-validation")
        let result = try importing(lines, "--skip-validation")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("warning: Dog/p2: kennel refers to \"Kennel/p9\""))
        #expect(try SQLiteShell.run("SELECT ZNAME, ZKENNEL FROM ZDOG ORDER BY 1", on: store) == "D1|1\nD2|")
    }

    /// The hashes of the store that was exported, even where its model has others.
    @Test(arguments: ["json", "ndjson"]) func versionHashesAreKept(_ format: String) throws {
        #expect(try importing([kennel(1, "\"dogs\": []")]).status == 0)
        let hash = Data(repeating: 7, count: 32)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store, options: nil)
        var hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        hashes["Dog"] = hash
        metadata[NSStoreModelVersionHashesKey] = hashes
        let list = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        let hex = list.map { String(format: "%02x", $0) }.joined()
        try SQLiteShell.run("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'", on: store)
        let (export, copy) = (folder.file("out"), folder.file("Copy.sqlite"))
        #expect(try CommandRunner.run("export", store.path, "--format", format, "-o", export.path).status == 0)
        let result = try CommandRunner.run("import", copy.path, export.path)
        #expect(result.status == 0, "\(result.errors)")
        let copied = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: copy, options: nil)
        #expect(copied[NSStoreModelVersionHashesKey] as? [String: Data] == hashes)
        #expect(try CommandRunner.run("count", copy.path, "Kennel").output == "1\n")
    }
}
