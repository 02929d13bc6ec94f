#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata model diagram`
struct ModelDiagramCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram", abstract: "Draws a model as an SVG image.",
        discussion: """
            Boxes show the properties that each entity itself declares; lines show relationships, with the \
            number of objects at each end; hollow arrows point to parent entities. The same model always gives \
            the same image, which works in light and dark mode.
            """)

    @Argument(
        help:
            "An .xcdatamodeld (its current version, or X.xcdatamodeld:VERSION), .xcdatamodel, .momd, .mom or store.",
        completion: .file())
    var model: String

    @Option(
        name: .shortAndLong, help: "The file to write, or - for standard output.",
        completion: .file(extensions: ["svg"]))
    var output: String

    @Flag(name: .overwriting, help: "Replace an existing file. Stores are never replaced.")
    var force = false

    func run() throws {
        let reference = ModelReference(model)
        let source = try reference.source()
        let layout = DiagramLayout(Diagram(source.model))
        let title = reference.version.map { "\(reference.name), \($0)" } ?? reference.name
        let sink = try OutputSink(path: output, force: force, inputs: [reference.url])
        try sink.write(DiagramRenderer(layout: layout, title: title).svg)
        try sink.finish()
    }
}
#endif
