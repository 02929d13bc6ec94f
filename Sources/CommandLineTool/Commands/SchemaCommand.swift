#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata schema`
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Prints the entities of a store or model in detail.")

    @Argument(help: "A store or a model file.", completion: .file())
    var storeOrModel: String

    @Argument(help: "An entity; all of them by default.", completion: Completions.entities)
    var entity: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let source = try ModelReference(storeOrModel).source()
        let output = OutputSink()
        if let entity {
            guard let found = source.model.entitiesByName[entity] else {
                throw ModelSource.unknown(entity: entity, in: source.model)
            }
            let schema = EntitySchema(entity: found)
            if json {
                try output.writeJSON(schema.json)
            } else {
                for line in schema.lines { try output.writeLine(line) }
            }
            return try output.finish()
        }
        let document = SchemaDocument(model: source.model)
        if json {
            try output.writeJSON(document.json)
        } else {
            if case .tables = source.origin { try output.writeLine("Model from \(source.description)") }
            for line in document.lines { try output.writeLine(line) }
        }
        try output.finish()
    }
}
#endif
