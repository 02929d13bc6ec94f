#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

extension StoreUpsert.Format: ExpressibleByArgument {}

/// `opencoredata upsert`
struct UpsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upsert",
        abstract: "Reads records into a store: updates existing objects and inserts new ones.",
        discussion: """
            A record updates the object with the same key, or inserts a new one; properties that the \
            record doesn't contain stay unchanged. The first line of CSV names the properties; JSON is an array \
            of objects, and NDJSON has one object per line. Either all records are saved or none.
            """)

    @OptionGroup var store: StoreArguments

    @Argument(help: "The entity.", completion: Completions.entities)
    var entity: String

    @Argument(help: "The file with the records, or - for standard input.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "The attributes that identify objects, separated by commas. By default, those of the entity's unique constraint.",
            valueName: "a,b"),
        completion: Completions.properties)
    var key: String?

    @Option(help: "The format of the records: csv, json or ndjson. By default, from the file's extension.")
    var format: StoreUpsert.Format?

    @Flag(help: "Show what would change, but save nothing.")
    var dryRun = false

    func validate() throws {
        if key?.listedNames.contains("") == true { throw ValidationError("--key must name an attribute.") }
    }

    /// The attributes of the one unique constraint that the entity has.
    private static func uniqueKey(of entity: NSEntityDescription) throws -> [String] {
        let keys = entity.uniqueKeys.filter { $0.allSatisfy { entity.attributesByName[$0] != nil } }
        if keys.count == 1 { return keys[0] }
        guard !keys.isEmpty else {
            throw ToolFailure(
                "The entity \(entity.displayName) has no unique constraint; name the attributes that identify objects "
                    + "with --key.")
        }
        let listed = keys.map { "--key " + $0.joined(separator: ",") }.joined(separator: " or ")
        throw ToolFailure("The entity \(entity.displayName) has several unique constraints; use \(listed).")
    }

    func run() throws {
        Interruption.watch()
        guard let format = format ?? .init(path: file) else {
            throw ValidationError(
                "The format can't be told from the file's name; use --format csv, json or ndjson.")
        }
        let session = try store.session(editing: dryRun ? .dryRun : .saving)
        let entity = try session.entity(named: entity)
        let keys = try key?.listedNames ?? Self.uniqueKey(of: entity)
        let bar = ProgressBar("Reading")
        defer { bar.finish() }
        let upsert = try StoreUpsert(
            session: session, entity: entity, keys: keys,
            input: ImportInput(path: file, checkpoint: Interruption.check), format: format
        ) { done, total in
            try Interruption.check()
            bar.show(done: done, of: total)
        }
        let summary: StoreUpsert.Summary
        do {
            if dryRun {
                let uniqueness = UniquenessCheck()
                summary = try upsert.run { context in
                    try uniqueness.check(context)
                    context.reset()
                }
            } else {
                summary = try session.savingTogether {
                    try upsert.run { context in
                        try context.save()
                        context.reset()
                    }
                }
            }
        } catch {
            throw ToolFailure.adding("Nothing was changed.", to: error)
        }
        bar.finish()
        let outcome = "\(summary.inserted) inserted, \(summary.updated) updated, \(summary.unchanged) unchanged."
        do {
            let output = OutputSink()
            try output.writeLine(outcome)
            if dryRun { try output.writeLine("Nothing was saved (--dry-run).") }
            try output.finish()
        } catch {
            throw ToolFailure.adding(dryRun ? "Nothing was saved (--dry-run)." : outcome, to: error)
        }
    }
}
#endif
