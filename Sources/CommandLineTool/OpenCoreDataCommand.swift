#if CommandLineTool
    import ArgumentParser
    import Foundation

    /// The command `opencoredata`.
    @main
    struct OpenCoreDataCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "opencoredata",
            abstract: "Shows, queries, exports, changes, checks and migrates Core Data stores.",
            discussion: """
                Works on any SQLite store that Core Data wrote. The model is taken from the store itself unless \
                --model names one. Only import, set, delete and migrate write to a store.

                Exit codes: 0 success, 1 the request failed, 64 wrong usage.
                """,
            subcommands: [
                InfoCommand.self, SchemaCommand.self, ListCommand.self, CountCommand.self, ExportCommand.self,
                ImportCommand.self, SetCommand.self, DeleteCommand.self, CheckCommand.self,
                MigrateCommand.self, ModelCommand.self,
            ])

        /// Runs the command line. Errors of requests are one sentence on standard error and exit code 1.
        static func main() {
            var command: any ParsableCommand
            do {
                command = try parseAsRoot()
            } catch {
                exit(withError: error)
            }
            do {
                try command.run()
            } catch let error as ExitCode {
                exit(withError: error)
            } catch let error as ValidationError {
                exit(withError: error)
            } catch {
                // Help is an error too, for the parser.
                if exitCode(for: error) == .success { exit(withError: error) }
                StandardError.write("opencoredata: \(Sentence.text(of: error))\n")
                exit(withError: ExitCode.failure)
            }
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
