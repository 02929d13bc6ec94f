/// Writes supplied accessors as Swift source.
package enum ManagedAccessorRenderer {
    /// The file with all accessors.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    package static func file(_ accessors: ManagedAccessors, named name: String, settings: GenerationSettings)
        -> GeneratedFile
    {
        var text = SourceText()
        text.line("// \(name)")
        text.line("// Supplies what the compiler expects of @NSManaged. It is regenerated, so don't change it.")
        guard !accessors.classes.isEmpty else { return GeneratedFile(name: name, content: text.text) }
        text.blank()
        text.line("#if !canImport(ObjectiveC)")
        for line in imports(accessors, settings) { text.line(line) }
        for entry in accessors.classes {
            text.blank()
            render(entry, in: &text)
        }
        text.line("#endif")
        return GeneratedFile(name: name, content: text.text)
    }

    /// The imports. One is public if something public shows a type of its module, and only then.
    private static func imports(_ accessors: ManagedAccessors, _ settings: GenerationSettings) -> [String] {
        let types = accessors.classes.flatMap(\.accessors).filter(\.isPublic).flatMap(\.types)
        let modules = Set(types.flatMap(modules))
        let core = modules.contains("CoreDataEngine") ? "public " : ""
        let foundation = modules.contains { $0.hasPrefix("Foundation") } ? "public " : ""
        return ["\(foundation)import Foundation", "\(core)import \(settings.importedModule)"]
    }

    private static func modules(_ type: SwiftType) -> [String] {
        switch type {
        case .any, .anyObject: []
        case .optional(let wrapped): modules(wrapped)
        case .named(let path, let arguments):
            [SymbolTypes.known[SymbolTypes.aliases[path.last ?? ""] ?? path.last ?? ""]?.module].compactMap { $0 }
                + (path == ["TimeInterval"] ? ["Foundation"] : []) + arguments.flatMap(modules)
        }
    }

    private static func render(_ entry: ManagedAccessors.ClassAccessors, in text: inout SourceText) {
        let path = entry.className.split(separator: ".").map { SwiftIdentifier.escaped(String($0)) }
        let name = path.joined(separator: ".")
        if !entry.keyed.isEmpty { renderKeyed(entry.keyed, of: name, in: &text) }
        guard !entry.accessors.isEmpty else { return }
        if !entry.keyed.isEmpty { text.blank() }
        text.block("extension \(name)") { text in
            for (index, accessor) in entry.accessors.enumerated() {
                if index > 0 { text.blank() }
                text.line("@_silgen_name(\(SourceText.literal(accessor.symbol)))")
                let access = accessor.isPublic ? "public " : ""
                text.block("\(access)final func \(accessor.signature)") { $0.lines(accessor.body) }
            }
        }
        guard !entry.slots.isEmpty else { return }
        text.blank()
        SlotNames.render(entry.slots.map { ($0.name, $0.type) }, of: entry.className, list: .managed, in: &text)
    }

    private static func renderKeyed(_ properties: [String], of className: String, in text: inout SourceText) {
        text.block("extension \(className)") { text in
            text.line("/// What key-value coding finds besides the properties of the model.")
            text.block("final class _KeyedProperties: ManagedPropertyList") { text in
                text.block("override class var keyedValues: [String: @Sendable (NSManagedObject) -> Any?]") { text in
                    text.line("[")
                    for name in properties {
                        let member = SwiftIdentifier.escaped(name)
                        text.line("    \(SourceText.literal(name)): { ($0 as? \(className))?.\(member) },")
                    }
                    text.line("]")
                }
            }
        }
    }
}
