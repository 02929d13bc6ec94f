#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata count`
struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Prints how many objects of an entity there are.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var query: QueryArguments

    func run() throws {
        let session = try store.session(.reading)
        let request = try query.request(in: session)
        let count = try session.perform { try $0.count(for: request) }
        let output = OutputSink()
        try output.writeLine(String(count))
        try output.finish()
    }
}
#endif
