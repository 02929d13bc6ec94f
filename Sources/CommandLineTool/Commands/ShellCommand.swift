#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `opencoredata shell`
struct ShellCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Runs commands on a store, one after the other.",
        discussion: """
            Commands are typed without the name of the store: list Book --where 'price > 30'. A line that begins with \
            SELECT is a statement for sql. Tab completes, the arrow keys go through the history, which is kept in \
            ~/.opencoredata_history (or where OPENCOREDATA_HISTORY says) unless a line begins with a space. exit, quit \
            or Ctrl-D ends it.

            Without a terminal, the commands are read from standard input, one on each line, and the exit code is 1 if \
            one of them failed.
            """)

    @OptionGroup var store: StoreArguments

    func run() throws {
        // A wrong name is better known now.
        let session = try store.session(.reading)
        let commands = ShellCommands(store: store.store, model: store.model)
        guard isatty(STDIN_FILENO) == 1 else {
            var hasFailed = false
            while let line = readLine() {
                switch commands.run(line, isInteractive: false) {
                case .ended: return try end(hasFailed)
                case .failed: hasFailed = true
                case .succeeded: break
                }
            }
            return try end(hasFailed)
        }
        let completion = ShellCompletion(store: store.store, commands: ShellCommands.names)
        let editor = LineEditor(history: LineHistory(), complete: completion.candidates)
        StandardError.writeLine("\(session.name): type help for the commands, exit to end.")
        commands.ignoreInterruptions()
        while let line = try editor.line(after: "\(TerminalText.line(session.name))> ") {
            if case .ended = commands.run(line, isInteractive: true) { return }
        }
    }

    private func end(_ hasFailed: Bool) throws { if hasFailed { throw ExitCode.failure } }
}
#endif
