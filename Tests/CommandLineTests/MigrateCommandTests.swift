import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `migrate` shows what becomes of a store, proves the new one, and leaves the old one alone otherwise.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct MigrateCommandTests {
    private let folder: TemporaryFolder
    private let store: URL

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder)
    }

    /// Writes the sample's model with changes, and returns its URL.
    private func writeModel(_ change: (NSManagedObjectModel) -> Void) throws -> URL {
        let model = SampleStore.model()
        change(model)
        let url = folder.file("Next.mom")
        try model.encodedCompiledModel().write(to: url)
        return url
    }

    /// The model with an attribute renamed, one added and one gone, an entity renamed and one added.
    private func nextModel() throws -> URL {
        try writeModel { model in
            let person = model.entitiesByName["Person"]
            let team = model.entitiesByName["Team"]
            let name = person?.attributesByName["name"]
            name?.name = "fullName"
            name?.renamingIdentifier = "name"
            let nickname = NSAttributeDescription()
            nickname.name = "nickname"
            nickname.attributeType = .stringAttributeType
            nickname.isOptional = true
            person?.properties.append(nickname)
            person?.properties.removeAll { $0.name == "height" }
            team?.name = "Crew"
            team?.renamingIdentifier = "Team"
            let place = NSEntityDescription()
            place.name = "Place"
            model.entities.append(place)
        }
    }

    /// Every file of the folder with its bytes.
    private func files() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            result[name] = FileManager.default.contents(atPath: folder.file(name).path)
        }
        return result
    }

    @Test func aDryRunShowsTheChangesAndLeavesEveryFileAsItIs() throws {
        let next = try nextModel()
        let before = try files()
        let result = try CommandRunner.run("migrate", store.path, "--to", next.path, "--dry-run")
        #expect(result.status == 0, "\(result.errors)")
        let lines = result.output.split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        for line in [
            "renamed name → fullName", "added nickname", "removed height", "added Place –",
        ] {
            #expect(lines.contains(line), "\(line) is not in\n\(result.output)")
        }
        #expect(lines.contains { $0.hasPrefix("renamed Team → Crew ") })
        #expect(lines.contains("Objects keep their identifiers."))
        #expect(lines.last == "Nothing was changed (--dry-run).")
        #expect(try files() == before)
    }

    @Test func aStoreIsMigratedAndKeepsItsObjects() throws {
        let names = try SQLiteShell.run(
            "SELECT Z_PK, Z_ENT > 0, ZNAME, ZTEAM, ZBADGE FROM ZPERSON ORDER BY 1", on: store)
        let result = try CommandRunner.run("migrate", store.path, "--to", try nextModel().path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Sample.sqlite was migrated: "))
        let after = try SQLiteShell.run(
            "SELECT Z_PK, Z_ENT > 0, ZFULLNAME, ZTEAM, ZBADGE FROM ZPERSON ORDER BY 1", on: store)
        #expect(after == names)
        #expect(try CommandRunner.run("check", store.path).status == 0)
        #expect(try files().keys.filter { $0.contains("migration") }.isEmpty)
        let again = try CommandRunner.run("migrate", store.path, "--to", folder.file("Next.mom").path)
        #expect(again.output == "Sample.sqlite already has this version; there is nothing to do.\n")
    }

    /// A dry run says what the migration is refused for.
    @Test func aMandatoryAttributeWithoutValuesIsFoundInADryRunToo() throws {
        let next = try writeModel { model in
            let code = NSAttributeDescription()
            (code.name, code.attributeType, code.isOptional) = ("code", .stringAttributeType, false)
            model.entitiesByName["Team"]?.properties.append(code)
        }
        for arguments in [["--dry-run"], []] {
            let result = try CommandRunner.run(["migrate", store.path, "--to", next.path] + arguments)
            #expect(result.status == 1 && result.errors.contains("Team.code is mandatory"), "\(result.errors)")
        }
        // One that was optional needs values; if all objects have one, there is no obstacle.
        let age = try writeModel { $0.entitiesByName["Person"]?.attributesByName["age"]?.isOptional = false }
        for (value, status) in [("NULL", 1), ("3", 0)] as [(String, Int32)] {
            try SQLiteShell.run("UPDATE ZPERSON SET ZAGE = \(value)", on: store)
            let dry = try CommandRunner.run("migrate", store.path, "--to", age.path, "--dry-run")
            #expect(dry.status == status, "\(dry.output)\(dry.errors)")
        }
        #expect(try CommandRunner.run("migrate", store.path, "--to", age.path).status == 0)
    }

    /// A dry run finds the objects that a new unique constraint doesn't allow, and the migration refuses them too.
    @Test(arguments: [["name"], ["age", "name"], ["team"], ["grade"]])
    func duplicatesOfANewUniqueConstraintAreFoundInADryRunToo(_ keys: [String]) throws {
        let next = try writeModel { model in
            let grade = NSAttributeDescription()
            (grade.name, grade.attributeType, grade.defaultValue) = ("grade", .integer16AttributeType, 3)
            model.entitiesByName["Person"]?.properties.append(grade)
            model.entitiesByName["Person"]?.uniquenessConstraints = [keys]
        }
        try SQLiteShell.run(
            "UPDATE ZPERSON SET ZNAME = 'Zoë', ZAGE = 9, ZTEAM = (SELECT max(Z_PK) FROM ZTEAM) WHERE Z_PK IN (1, 2)",
            on: store)
        for arguments in [["--dry-run"], []] {
            let result = try CommandRunner.run(["migrate", store.path, "--to", next.path] + arguments)
            #expect(result.status == 1 && result.errors.contains("unique"), "\(result.output)\(result.errors)")
            guard arguments == ["--dry-run"] else { continue }
            let named = result.errors.contains("/p1 ") && result.errors.contains("/p2 ") || keys == ["grade"]
            #expect(named && result.errors.contains("of Person must be unique"), "\(result.errors)")
        }
        // Without duplicates, or without values, there is no obstacle.
        guard keys != ["grade"] else { return }
        try SQLiteShell.run(
            "UPDATE ZPERSON SET ZNAME = 'Person ' || Z_PK, ZTEAM = CASE Z_PK WHEN 1 THEN ZTEAM END", on: store)
        let dry = try CommandRunner.run("migrate", store.path, "--to", next.path, "--dry-run")
        #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
        #expect(try CommandRunner.run("migrate", store.path, "--to", next.path).status == 0)
    }

    /// Missing values get the default of an attribute that becomes mandatory, and are equal then.
    @Test func aDryRunComparesTheDefaultsThatMissingValuesBecome() throws {
        let next = try writeModel { model in
            let person = model.entitiesByName["Person"]
            person?.attributesByName["age"]?.isOptional = false
            person?.attributesByName["age"]?.defaultValue = 7
            person?.uniquenessConstraints = [["age"]]
        }
        try SQLiteShell.run(
            "UPDATE ZPERSON SET ZAGE = CASE WHEN Z_PK IN (1, 2) THEN NULL ELSE Z_PK + 100 END", on: store)
        for arguments in [["--dry-run"], []] {
            let result = try CommandRunner.run(["migrate", store.path, "--to", next.path] + arguments)
            #expect(result.status == 1 && result.errors.contains("unique"), "\(result.output)\(result.errors)")
        }
        try SQLiteShell.run("UPDATE ZPERSON SET ZAGE = 50 WHERE Z_PK = 2", on: store)
        for arguments in [["--dry-run"], []] {
            let result = try CommandRunner.run(["migrate", store.path, "--to", next.path] + arguments)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
        }
    }

    @Test func whatCannotBeInferredIsOneSentenceAndChangesNothing() throws {
        let next = try writeModel { model in
            model.entitiesByName["Person"]?.attributesByName["name"]?.attributeType = .dateAttributeType
        }
        let before = try files()
        let result = try CommandRunner.run("migrate", store.path, "--to", next.path)
        #expect(result.status == 1)
        #expect(result.errors.contains("Person.name"))
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(try files() == before)
    }

    @Test func aStoreWithAProblemOfItsOwnIsMigratedToo() throws {
        try SQLiteShell.run("UPDATE ZPERSON SET ZTEAM = 77 WHERE ZNAME = 'Bob'", on: store)
        let result = try CommandRunner.run("migrate", store.path, "--to", try nextModel().path)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Sample.sqlite was migrated: "))
    }

    @Test func usageAndMissingFiles() throws {
        #expect(try CommandRunner.run("migrate", store.path).status == 64)
        let missing = try CommandRunner.run("migrate", store.path, "--to", folder.file("No.mom").path)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("No.mom"))
        let noStore = try CommandRunner.run("migrate", folder.file("No.sqlite").path, "--to", try nextModel().path)
        #expect(noStore.status == 1)
        let noMapping = try CommandRunner.run(
            "migrate", store.path, "--to", try nextModel().path, "--mapping", folder.file("No.cdm").path)
        #expect(noMapping.status == 1)
        #expect(noMapping.errors.contains("No.cdm"))
    }

    @Test(.enabled(if: Fixtures.available)) func aMappingModelIsShownAndItsPolicyIsMissed() throws {
        let sample = "coredataplus/SampleModel"
        let copy = try Fixtures.copy("\(sample)/SampleModel_V2.sqlite", into: folder)
        let before = try files()
        let arguments = [
            "migrate", copy.path, "--to", try Fixtures.url("\(sample)/SampleModel.momd/SampleModel3.mom").path,
            "--mapping", try Fixtures.url("\(sample)/V2toV3.cdm").path,
        ]
        let plan = try CommandRunner.run(arguments + ["--dry-run"])
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.contains("Maker"))
        #expect(plan.output.contains("Objects are recreated and get new identifiers."))
        let real = try CommandRunner.run(arguments)
        #expect(real.status == 1)
        #expect(real.errors.contains("V2to3MakerPolicy"))
        #expect(try files() == before)
    }
}
