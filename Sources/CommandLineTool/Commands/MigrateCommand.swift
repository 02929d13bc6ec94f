#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

#if PostgreSQL
import OpenCoreDataPostgreSQL
#endif

/// `opencoredata migrate`
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrates a store to another version of its model.",
        discussion: """
            Prints what happens to each entity and property. The migrated store is made next to the old one, and \
            replaces it only if it has the right numbers of objects and relationships; otherwise nothing is \
            changed. The store must not be in use. A store on a server is migrated in place, in one transaction, \
            even while programs use it, and its objects are counted afterwards; --sql prints the statements.
            """)

    @OptionGroup var store: StoreArguments

    @Option(
        help: ArgumentHelp(
            "The model to migrate to: .xcdatamodeld (or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom, "
                + "or a store.",
            valueName: "model"),
        completion: .file())
    var to: String

    @Option(
        help: ArgumentHelp(
            "The mapping model: .cdm or .xcmappingmodel. By default, one is inferred.", valueName: "path"),
        completion: .file())
    var mapping: String?

    @Flag(help: "Show what would change, but change nothing.")
    var dryRun = false

    @Flag(
        help: ArgumentHelp(
            "Print the statements that would run on a server, with the locks they take and about how many rows they write, "
                + "but change nothing."))
    var sql = false

    @Option(
        help: ArgumentHelp(
            "A file with SQL that runs in the transaction of a migration on a server, before tables change.",
            valueName: "file"),
        completion: .file())
    var before: String?

    @Option(
        help: ArgumentHelp("The same, after tables have changed.", valueName: "file"), completion: .file())
    var after: String?

    /// Counting, checking what is there, migrating and checking again take about as long.
    private static let steps = 4

    func run() throws {
        let output = OutputSink()
        let outcome: String
        do {
            outcome = try Interruption.stopping("Nothing was changed.") { try migrate(output) }
        } catch {
            // The plan is worth reading all the same.
            try? output.finish()
            throw error
        }
        do {
            try output.writeLine(outcome)
            try output.finish()
        } catch {
            throw ToolFailure.adding(outcome, to: error)
        }
    }

    /// - Returns: What was done, as a sentence.
    private func migrate(_ output: OutputSink) throws -> String {
        let address = try StoreAddress(existing: store.store)
        let url = address.url
        guard address.server != nil || (!sql && before == nil && after == nil) else {
            throw ValidationError("--sql, --before and --after are for stores on a server.")
        }
        guard !sql || (before == nil && after == nil && mapping == nil) else {
            throw ValidationError(
                "--sql prints what a migration without --before, --after and --mapping runs, and can't be used with them."
            )
        }
        try address.checkFile()
        let options = try stepOptions()
        let destination = try ModelReference(to).source(reconstructs: false)
        let source = try destination.formerVersion(ofStoreAt: url, modelPath: store.model)
        if !dryRun, address.server == nil { try UnfinishedWrite.undo(in: url) }
        if destination.model.entityVersionHashesByName == source.model.entityVersionHashesByName {
            return "\(address.name) already has this version; there is nothing to do."
        }
        if sql {
            let migration = try InspectedMigration(
                url: url, type: address.type, from: source.model, to: destination.model, mapping: nil)
            for line in MigrationScript(try migration.statements() ?? []).lines { try output.writeLine(line) }
            return "-- Nothing was changed (--sql)."
        }
        let bar = ProgressBar("Migrating")
        defer { bar.finish() }
        let old = try StoreCensus(storeURL: url, source: source)
        bar.show(done: 1, of: Self.steps)
        let migration = try InspectedMigration(
            url: url, type: address.type, from: source.model, to: destination.model,
            mapping: try mapping.map {
                try NSMappingModel(contentsOfMappingFile: InputFile.url($0, orFolder: true))
            })
        let plan = MigrationPlan(migration)
        bar.finish()
        for line in plan.lines(old) { try output.writeLine(line) }
        if dryRun {
            try plan.checkObstacles(inStoreAt: url, source: source)
            return "Nothing was changed (--dry-run)."
        }
        let proof = MigrationProof(plan: plan, old: old, findingsBefore: try Self.findings(url, source))
        let second = ProgressBar("Migrating")
        defer { second.finish() }
        second.show(done: 2, of: Self.steps)
        let proved = try migrate(migration, to: destination, at: address, options, proof)
        second.finish()
        return proved.summary(address.name)
    }

    /// - Returns: The proof, with what was counted in the migrated store.
    private func migrate(
        _ migration: InspectedMigration, to destination: ModelSource, at address: StoreAddress,
        _ options: [AnyHashable: Any]?, _ proof: MigrationProof
    ) throws -> MigrationProof {
        var proof = proof
        let url = address.url
        guard address.server == nil else {
            // The server does it in one transaction and in place, after which there is nothing to go back to.
            try CancellableRead.withoutStopping {
                try migration.run(options: options) { _ in }
                try proof.check(url, destination, findings: try Self.findings(url, destination), isInPlace: true)
            }
            return proof
        }
        let number = Self.fileNumber(url)
        do {
            try migration.run { draft in
                try proof.check(draft, destination, findings: try Self.findings(draft, destination, replacing: url))
            }
        } catch {
            guard !(error is ToolFailure), Self.fileNumber(url) == number else { throw error }
            throw ToolFailure.adding("Nothing was changed.", to: error)
        }
        return proof
    }

    /// The options of the store that has steps of its own.
    private func stepOptions() throws -> [AnyHashable: Any]? {
        #if PostgreSQL
        var steps: [PostgreSQLMigrationStep] = []
        for (path, moment) in [(before, PostgreSQLMigrationStep.Moment.beforeTheTables), (after, .afterTheTables)] {
            guard let path else { continue }
            let text = try String(contentsOf: InputFile.url(path), encoding: .utf8)
            steps.append(PostgreSQLMigrationStep(path, moment, sql: text))
        }
        return steps.isEmpty ? nil : [PostgreSQLStore.migrationStepsOption: steps]
        #else
        return nil
        #endif
    }

    /// Distinguishes a file from one that replaced it.
    private static func fileNumber(_ url: URL) -> Int? {
        let path = url.resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.systemFileNumber] as? Int
    }

    private static func findings(
        _ url: URL, _ source: ModelSource, replacing former: URL? = nil
    ) throws -> [StoreFinding] {
        try StoreAddress(url: url).findings(model: source.model, replacing: former)
    }
}
#endif
