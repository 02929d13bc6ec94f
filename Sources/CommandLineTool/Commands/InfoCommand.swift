#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata info`
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Prints an overview of a store and its contents.")

    @OptionGroup var store: StoreArguments

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let session = try store.session(.reading)
        let info = try StoreInfo(session)
        let output = OutputSink()
        if json {
            try output.writeJSON(info.json)
        } else {
            for line in info.lines(fitting: output.columns) { try output.writeLine(line) }
        }
        try output.finish()
    }
}
#endif
