#if CommandLineTool
import ArgumentParser
import Foundation
import StoreTools

#if PostgreSQL
import OpenCoreDataPostgreSQL
#endif

/// The command `opencoredata`.
@main
struct OpenCoreDataCommand: ParsableCommand {
    /// The version of the package.
    static let version = "1.0.0-dev"

    static let configuration = CommandConfiguration(
        commandName: "opencoredata",
        abstract: "Shows, queries, exports, changes, checks and migrates Core Data stores.",
        discussion: """
            Works with any SQLite store written by Core Data, with XML and binary stores, which need --model, and with \
            stores in PostgreSQL databases, named by URL. The model comes from the store itself \
            unless --model names one. Only create, import, copy, insert, upsert, set, delete, migrate, \
            index and check --repair write to a store.

            Exit codes: 0 success, 1 the request failed, 64 wrong usage, 130 interrupted by Ctrl-C.
            """,
        version: version,
        subcommands: [
            InfoCommand.self, SchemaCommand.self, ListCommand.self, ShowCommand.self, CountCommand.self,
            SearchCommand.self, QueryCommand.self, SQLCommand.self, HistoryCommand.self, WatchCommand.self,
            ExportCommand.self, ImportCommand.self,
            CreateCommand.self, InsertCommand.self, UpsertCommand.self, SetCommand.self, DeleteCommand.self,
            CheckCommand.self, BackupCommand.self,
            CopyCommand.self, MigrateCommand.self, IndexCommand.self, ShellCommand.self, ModelCommand.self,
        ] + inspecting)

    private static var inspecting: [any ParsableCommand.Type] {
        #if Inspector
        [ServeCommand.self]
        #else
        []
        #endif
    }

    /// Runs the command line. Errors of requests are one line on standard error and exit code 1.
    static func main() {
        // Writing to a closed pipe then throws an error, after which files are cleaned up.
        _ = signal(SIGPIPE, SIG_IGN)
        #if PostgreSQL
        PostgreSQLStore.register()
        #endif
        do {
            try refuseUnknownCommand()
            var command = try parseAsRoot()
            try command.run()
        } catch is ClosedPipe {
            ClosedPipe.endProcess()
        } catch {
            end(with: error)
        }
    }

    /// Says what may have been meant by a name that is no command: the parser would say "unexpected arguments".
    private static func refuseUnknownCommand() throws {
        var configuration = Self.configuration
        var path = ""
        for name in CommandLine.arguments.dropFirst() {
            var known: [String: CommandConfiguration] = [:]
            for command in configuration.subcommands {
                let next = command.configuration
                if let name = next.commandName { known[name] = next }
            }
            if name == "help", path.isEmpty { continue }
            guard !known.isEmpty, !name.hasPrefix("-"), name != "help" else { return }
            path += " \(name)"
            guard let next = known[name] else {
                let near = Suggestion.nearest(to: name, among: known.keys)
                throw ValidationError("There is no command\(path)\(near.map { "; did you mean \($0)?" } ?? ".")")
            }
            configuration = next
        }
    }

    private static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        // Help, a call for usage and a result that is an exit code are errors for the parser too.
        if code == .success || error is ExitCode { exit(withError: error) }
        if code == .validationFailure {
            StandardError.writeLines(
                StoreAddress.withoutSecrets(fullMessage(for: error), in: CommandLine.arguments))
            exit(withError: code)
        }
        let sentence = StoreAddress.withoutSecrets(ToolFailure.sentence(of: error), in: CommandLine.arguments)
        StandardError.writeLine("opencoredata: \(sentence)")
        exit(withError: ExitCode(ToolFailure.exitCode(of: error)))
    }
}
#else
/// Stands in for the command where its trait is off.
@main
struct OpenCoreDataCommand {
    static func main() {
        print("This build leaves the command out; build it with: swift build --traits CommandLineTool")
    }
}
#endif
