#if CommandLineTool && Inspector
import ArgumentParser
import Dispatch
import OpenCoreDataInspector
import Synchronization

/// `opencoredata serve`
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Shows a store live in a browser.",
        discussion: """
            Prints an address that contains a secret; open it on this machine. Other machines can't reach the page, \
            and it sends no data to other servers. Saves of other processes appear without reloading. \
            Press Ctrl-C to stop.
            """)

    @OptionGroup var store: StoreArguments

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("The port to listen on; by default, any free one.", valueName: "n"))
    var port: Int = 0

    @Flag(help: "Allow editing. Without it, no file of the store changes.")
    var write = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be a number from 0 to 65535.") }
    }

    func run() throws {
        let server = try InspectorServer(
            storePath: store.store, modelPath: store.model, port: port, isWritable: write)
        let failure = Mutex<(any Error)?>(nil)
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await server.run { address in StandardOutputLine.write("Open \(address)") }
            } catch {
                failure.withLock { $0 = error }
            }
            end.signal()
        }
        end.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// A line that is seen at once, also by a program that reads a pipe.
private enum StandardOutputLine {
    static func write(_ line: String) {
        let output = OutputSink()
        try? output.writeLine(line)
        try? output.finish()
    }
}
#endif
