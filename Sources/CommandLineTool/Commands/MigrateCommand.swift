#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata migrate`
struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Migrates a store to another version of its model.",
        discussion: """
            Prints what happens to each entity and property. The migrated store is made next to the old one, and \
            replaces it only if it has the right numbers of objects and relationships; otherwise nothing is \
            changed. The store must not be in use. A store on a server is migrated in place, in one transaction, \
            even while programs use it, and its objects are counted afterwards.
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
        try address.checkFile()
        let destination = try ModelReference(to).source(reconstructs: false)
        let source = try destination.formerVersion(ofStoreAt: url, modelPath: store.model)
        if !dryRun, address.server == nil { try UnfinishedWrite.undo(in: url) }
        if destination.model.entityVersionHashesByName == source.model.entityVersionHashesByName {
            return "\(address.name) already has this version; there is nothing to do."
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
            return "Nothing was changed (--dry-run)."
        }
        let proof = MigrationProof(plan: plan, old: old, findingsBefore: try Self.findings(url, source))
        let second = ProgressBar("Migrating")
        defer { second.finish() }
        second.show(done: 2, of: Self.steps)
        let proved = try migrate(migration, to: destination, at: address, proof)
        second.finish()
        return proved.summary(address.name)
    }

    /// - Returns: The proof, with what was counted in the migrated store.
    private func migrate(
        _ migration: InspectedMigration, to destination: ModelSource, at address: StoreAddress,
        _ proof: MigrationProof
    ) throws -> MigrationProof {
        var proof = proof
        let url = address.url
        guard address.server == nil else {
            // The server does it in one transaction and in place, after which there is nothing to go back to.
            try CancellableRead.withoutStopping {
                try migration.run { _ in }
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
