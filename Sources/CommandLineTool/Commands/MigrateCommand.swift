#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    /// `opencoredata migrate`
    struct MigrateCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate", abstract: "Brings a store to another version of its model.",
            discussion: """
                Prints what becomes of each entity and property. The migrated store is made beside the old one; it takes \
                the old one's place when it has as many objects and relationships as it should, and otherwise nothing \
                changes. The store must not be in use. A store on a server is changed in place, in one transaction, also \
                while programs use it, and is counted afterwards.
                """)

        @OptionGroup var store: StoreArguments

        @Option(
            help: ArgumentHelp(
                "The model that the store shall have: .xcdatamodeld (or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom, "
                    + "or a store.",
                valueName: "model"),
            completion: .file())
        var to: String

        @Option(
            help: ArgumentHelp(
                "The mapping model: .cdm or .xcmappingmodel. One is inferred if left out.", valueName: "path"),
            completion: .file())
        var mapping: String?

        @Flag(help: "Show what would change, and leave everything as it is.")
        var dryRun = false

        /// Counting, checking what is there, migrating and checking again take about as long.
        private static let steps = 4

        func run() throws {
            let output = OutputSink()
            defer { try? output.finish() }
            let outcome = try Interruption.stopping("Nothing was changed.") { try migrate(output) }
            try output.writeLine(outcome)
        }

        /// - Returns: What was done, as a sentence.
        private func migrate(_ output: OutputSink) throws -> String {
            let address = try StoreAddress(existing: store.store)
            let url = address.url
            if address.server == nil { _ = try StoreFacts(url: url) }
            let source = try ModelSource(storeURL: url, modelPath: store.model).adoptingHashes(ofStoreAt: url)
            let destination = try ModelReference(to).source(reconstructs: false)
            if destination.model.entityVersionHashesByName == source.model.entityVersionHashesByName {
                return "\(address.name) is at this version already; nothing to do."
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
            var proof = MigrationProof(plan: plan, old: old, findingsBefore: try Self.findings(url, source))
            let second = ProgressBar("Migrating")
            defer { second.finish() }
            second.show(done: 2, of: Self.steps)
            if address.server == nil {
                try migration.run { draft in
                    try proof.check(draft, destination, findings: try Self.findings(draft, destination))
                }
            } else {
                // The server does it in one transaction and in place, after which there is nothing to go back to.
                try CancellableRead.withoutStopping {
                    try migration.run { _ in }
                    try proof.check(url, destination, findings: try Self.findings(url, destination), isInPlace: true)
                }
            }
            second.finish()
            return proof.summary(address.name)
        }

        private static func findings(_ url: URL, _ source: ModelSource) throws -> [StoreFinding] {
            guard let server = StoreAddress(url: url).server else {
                return try StoreChecker.findings(inStoreAt: url, model: source.model)
            }
            return try server.findings(inStoreAt: url, model: source.model, options: nil) { _, _ in }
        }
    }
#endif
