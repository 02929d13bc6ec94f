#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata backup`
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies a store that may be in use.",
        discussion: """
            The copy is a consistent state of the store, with the files of its external values. Programs that \
            have the store open can go on using it. The copy is made next to FILE, checked and renamed: a backup \
            that fails or is killed leaves FILE unchanged, and the next one to the same file removes what is \
            left over.
            """)

    @OptionGroup var store: StoreArguments

    @Argument(help: "The file to write, in an existing folder.", completion: .file())
    var file: String

    @Flag(name: .overwriting, help: "Replace an existing store.")
    var force = false

    func run() throws {
        guard !StoreAddress.isServer(store.store) else {
            throw ToolFailure(
                "backup copies files. For a database on a server, use pg_dump, or copy to make a SQLite file."
            )
        }
        let url = try InputFile.url(store.store)
        let address = try StoreAddress(existing: store.store)
        try address.checkFile()
        guard address.isSQLite else {
            throw ToolFailure(
                "backup copies SQLite stores. \(address.name) is \(address.kindName), one file that each save replaces as "
                    + "a whole: copy it with cp.")
        }
        let facts = try StoreFacts(url: url)
        let source = try ModelSource(
            storeURL: url, modelPath: store.model, reconstructs: !Self.hasFiles(facts.externalDataFolder))
        let session = try StoreSession(url: url, source: source.adoptingHashes(ofStoreAt: url), access: .reading)
        let bar = ProgressBar("Backing up")
        let backup = try naming {
            try StoreBackup(of: session.store, to: URL(fileURLWithPath: file), replacesExisting: force) {
                bar.show(done: Int($0.fraction * 1_000), of: 1_000)
            }
        }
        defer { bar.finish() }
        let summary = try Interruption.stopping(
            "No copy was made.", by: { backup.cancel() }, { try naming(backup.run) })
        bar.finish()
        let output = OutputSink()
        try output.writeLine(sentence(summary, url.lastPathComponent))
        try output.finish()
    }

    /// What can't be written is the copy alone.
    private func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CocoaError where error.code == .fileWriteFileExists && !force {
            guard OutputFile.obstacle(at: file) == nil else { throw error }
            throw ToolFailure("\(file) already exists; use --force to replace it.")
        } catch let error as CocoaError {
            let writing: [CocoaError.Code] = [
                .fileWriteOutOfSpace, .fileWriteNoPermission, .fileWriteVolumeReadOnly,
            ]
            guard writing.contains(error.code), let failure = SystemFailure(error) else { throw error }
            throw ToolFailure("The copy \(file) cannot be written: \(failure).")
        }
    }

    private static func hasFiles(_ folder: URL) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == false
    }

    private func sentence(_ summary: StoreBackupSummary, _ name: String) -> String {
        let values = summary.externalValues
        let files = values == 1 ? "1 external value" : "\(values) external values"
        let more = values == 0 ? "" : " and \(files) of \(summary.externalBytes) bytes"
        return "\(name): \(summary.databaseBytes) bytes\(more) copied to \(file) and checked."
    }
}
#endif
