#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata model validate`
struct ModelValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Checks a model for mistakes; the exit code is 1 if it can't be used.",
        discussion: """
            With an error, no store can be created. Warnings are what Xcode warns about, and what can lose data. \
            Notes are worth a look, and are printed with --notes.
            """)

    @Argument(
        help:
            "An .xcdatamodeld (its current version, or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom or store.",
        completion: .file())
    var model: String

    @Flag(help: "Check every version of an .xcdatamodeld.")
    var allVersions = false

    @Flag(help: "Also print notes.")
    var notes = false

    @Flag(help: "Exit with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Print JSON, including notes.")
    var json = false

    func run() throws {
        let inspections = try ModelInspection.inspections(of: ModelReference(model), allVersions: allVersions)
        let all = inspections.flatMap { inspection in inspection.findings.map { (inspection, $0) } }
        let output = OutputSink()
        if json {
            try output.writeJSON(.array(all.map { $0.0.json(of: $0.1) }))
        } else {
            for (inspection, finding) in all where notes || finding.severity != .note {
                try output.writeLine(inspection.line(of: finding))
            }
            try output.writeLine(Self.summary(all.map(\.1), showsNotes: notes))
        }
        try output.finish()
        let worst = all.map(\.1.severity).min() ?? .note
        if worst == .error || (strict && worst == .warning) { throw ExitCode.failure }
    }

    private static func summary(_ findings: [ModelFinding], showsNotes: Bool) -> String {
        func count(_ severity: ModelFinding.Severity) -> String {
            let number = findings.filter { $0.severity == severity }.count
            return "\(number) \(severity.rawValue)\(number == 1 ? "" : "s")"
        }
        let notes = count(.note) + (showsNotes || count(.note) == "0 notes" ? "" : " (--notes shows them)")
        return "\(count(.error)), \(count(.warning)), \(notes)"
    }
}
#endif
