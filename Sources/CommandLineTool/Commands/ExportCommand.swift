#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata export`
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the objects of a store as JSON, NDJSON or CSV.",
        discussion: """
            JSON contains the model and the objects of every entity. NDJSON contains one object per line, after \
            a line with the model (without --entity). import reads both. CSV can only contain one entity: name \
            it with --entity.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var damage: DamageArguments

    @Option(
        help: ArgumentHelp("An entity to export, without its subentities; can be repeated. By default, all."),
        completion: Completions.entities)
    var entity: [String] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "A predicate in Core Data's format language; needs exactly one --entity.", valueName: "format"),
        completion: Completions.predicates)
    var predicate: String?

    @Option(help: "Output format: json, ndjson or csv.")
    var format: ExportFormat = .json

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write; a device is written to as it is. By default, or with -, standard output.",
            valueName: "path"),
        completion: .file())
    var output = "-"

    @Flag(name: .overwriting, help: "Replace an existing file. Stores are never replaced.")
    var force = false

    func validate() throws {
        if format == .csv, entity.count != 1 {
            throw ValidationError("CSV can only contain one entity: name it with --entity.")
        }
        if predicate != nil, entity.count != 1 {
            throw ValidationError("--where applies to one entity: name it with --entity.")
        }
    }

    func run() throws {
        let session = try store.session(.reading)
        let entities =
            try entity.isEmpty
            ? session.model.sortedEntities.filter { !$0.isAbstract } : entity.map { try session.entity(named: $0) }
        let sink = try OutputSink(path: output, force: force, inputs: store.files)
        // On a screen the objects themselves show how far it is.
        let bar = ProgressBar("Exporting", isTerminal: !sink.isTerminal && isatty(STDERR_FILENO) == 1)
        defer { bar.finish() }
        let exporter = try StoreExporter(
            session: session, entities: entities,
            where: predicate.map { try session.typedPredicate($0, for: entities[0]) }, output: sink
        ) { done, total in
            bar.show(done: done, of: total)
        }
        do {
            try damage.reading(session) {
                switch format {
                case .json: try exporter.writeJSON()
                case .ndjson: try exporter.writeLines(withModel: entity.isEmpty)
                case .csv: try exporter.writeCSV()
                }
            }
            bar.finish()
            try sink.finish()
        } catch {
            throw ToolFailure.adding(sink.outcome, to: error)
        }
        report(exporter.done, entities.count)
        for sentence in try exporter.missingValues() {
            StandardError.writeLine("opencoredata: warning: \(sentence)")
        }
    }

    private func report(_ count: Int, _ entityCount: Int) {
        let objects = count == 1 ? "1 object" : "\(count) objects"
        let entities =
            entity.count == 1 ? entity[0] : entityCount == 1 ? "1 entity" : "\(entityCount) entities"
        let place = output == "-" ? "" : " to \(output)"
        StandardError.writeLine("Exported \(objects) of \(entities)\(place).")
    }
}
#endif
