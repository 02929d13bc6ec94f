#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// `opencoredata show`
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Prints one object with all its properties.")

    /// The most names of a to-many that are printed.
    private static let shownNames = 20

    @OptionGroup var store: StoreArguments
    @OptionGroup var damage: DamageArguments

    @Argument(help: "The object: its URI, or Entity/p12.", completion: Completions.objects)
    var object: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let session = try store.session(.reading)
        try damage.reading(session) {
            try session.perform { context in
                try show(try session.object(named: self.object, in: context), in: context)
            }
        }
    }

    private func show(_ object: NSManagedObject, in context: NSManagedObjectContext) throws {
        let output = OutputSink()
        if json {
            let fields = [.objectID] + Field.all(of: object.entity)
            let members = fields.map { JSONMember(key: $0.title, value: $0.value(of: object)) }
            try context.requireOwnValueFiles()
            try output.writeJSON(.object(members))
        } else {
            let lines = Self.lines(object, fitting: output.columns)
            try context.requireOwnValueFiles()
            for line in lines { try output.writeLine(line) }
        }
        try output.finish()
    }

    private static func lines(_ object: NSManagedObject, fitting limit: Int?) -> [String] {
        var lines = [ObjectName.short(object.objectID)]
        let fields = Field.all(of: object.entity)
        let width = fields.map { DisplayWidth.columns(of: $0.title) }.max() ?? 0
        for field in fields {
            let title = field.title + String(repeating: " ", count: width - DisplayWidth.columns(of: field.title))
            lines += HangingText.lines("  \(title)  ", string(field, of: object), fitting: limit)
        }
        return lines
    }

    private static func string(_ field: Field, of object: NSManagedObject) -> String {
        if field.leadsToOne { return field.cell(of: object) }
        let value = field.value(of: object)
        if case .number = value { return JSONText.string(of: value) }
        guard case .array(let elements) = value, !elements.isEmpty else { return ValueText.cell(value) }
        let names = elements.prefix(shownNames).map { ValueText.cell($0) }.joined(separator: ", ")
        return elements.count > shownNames ? "\(names) and \(elements.count - shownNames) more" : names
    }
}
#endif
