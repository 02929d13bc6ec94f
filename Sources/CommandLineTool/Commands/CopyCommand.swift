#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata copy`
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies all objects of a store into another one, for example from a file to a database.",
        discussion: """
            Each store is a file or postgresql://user@host/database?schema=name. If there is no target, it is \
            created with the model of the source: as an XML store if its name ends in .xml, as a binary store if it ends \
            in .binary, and otherwise as a SQLite store. Objects get new identifiers. Relationships with their order, values in \
            external files and the application's metadata are copied; the history isn't. At the end, the objects of each \
            entity are counted and compared in both stores. Everything is copied or nothing: if the target can't store a \
            value, or the command is interrupted, the target is unchanged.
            """)

    @Argument(help: "The store to copy: a file or a URL. It is not changed.", completion: .file())
    var from: String

    @Argument(help: "The store to copy to: a file or a URL.", completion: .file())
    var to: String

    @Option(
        help: ArgumentHelp(
            "The model of the source: .xcdatamodeld (or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom, or a store that "
                + "contains one. By default, the store's own.",
            valueName: "path"),
        completion: .file())
    var model: String?

    @Flag(help: "Add to the objects in the target; without it, a target that has objects is refused.")
    var append = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let output = OutputSink()
        Interruption.watch()
        let source = try StoreSession(path: from, modelPath: model, access: .reading)
        let target = try ImportTarget(path: to, source: source.source)
        try refuseSameStore(source, target)
        let bar = ProgressBar("Copying")
        defer { bar.finish() }
        let summary: StoreCopier.Summary
        do {
            summary = try target.fill(sharing: source.model, from: source.url) { session in
                let present = try StoreCopier.objectCount(session)
                guard append || present == 0 else {
                    throw ToolFailure(
                        "The store \(target.name) has \(present) \(present == 1 ? "object" : "objects"); use --append "
                            + "to add to them.")
                }
                return try StoreCopier(from: source, to: session) { done, total in
                    try Interruption.check()
                    bar.show(done: done, of: total)
                }.run()
            }
        } catch {
            throw ToolFailure.adding(
                ImportTarget.outcome(at: target.url, isNew: target.isNew, "copied"), to: error)
        }
        bar.finish()
        try print(summary, source, target, output)
        try output.finish()
    }

    private func refuseSameStore(_ source: StoreSession, _ target: ImportTarget) throws {
        guard !target.isNew else { return }
        if source.url.isFileURL, target.url.isFileURL {
            // By whatever name: a hard link is the store itself.
            let files = try [source.url, target.url].map { try FileFacts(path: $0.path)?.identity }
            guard files[0] == files[1] else { return }
        } else {
            let identifier = try StoreAddress(url: target.url).metadata()[NSStoreUUIDKey] as? String
            guard identifier == source.store.identifier, source.url.isFileURL == target.url.isFileURL else {
                return
            }
        }
        throw ToolFailure("\(source.name) can't be copied into itself.")
    }

    private func print(
        _ summary: StoreCopier.Summary, _ source: StoreSession, _ target: ImportTarget, _ output: OutputSink
    ) throws {
        let hasHistory = (try? StoreAddress(url: source.url).hasHistory()) == true
        guard !json else {
            return try output.writeJSON([
                "from": .string(StoreAddress(url: source.url).displayName),
                "to": .string(StoreAddress(url: target.url).displayName),
                "objects": JSONValue(summary.objects), "historyLeftBehind": .bool(hasHistory),
                "entities": .array(
                    summary.entities.map {
                        [
                            "name": .string($0.name), "objects": JSONValue($0.objects),
                            "checksum": .string($0.checksum),
                        ]
                    }),
            ])
        }
        var table = TextTable(columns: [.init("ENTITY"), .init("OBJECTS", .right), .init("CHECKSUM", rank: 1)])
        for entity in summary.entities { table.append([entity.name, String(entity.objects), entity.checksum]) }
        if let limit = output.columns { _ = table.leaveOutColumns(fitting: limit) }
        for line in table.lines(fitting: output.columns) { try output.writeLine(line) }
        let objects = summary.objects == 1 ? "1 object" : "\(summary.objects) objects"
        try output.writeWrapped(
            "\(objects) copied from \(source.name) to \(target.name); numbers and checksums are equal in both.")
        if hasHistory { try output.writeWrapped("The history of \(source.name) was not copied.") }
    }
}
#endif
