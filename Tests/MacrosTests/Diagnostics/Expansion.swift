#if Macros
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// A source with its macros expanded, what is said about it, and the source with all first fix-its applied.
struct Expansion {
    let source: String
    let expanded: String
    let messages: [String]
    let fixIts: [String]
    let fixed: String

    /// - Parameter conforms: Whether a superclass of every class conforms already.
    init(_ source: String, conforms: Bool = false) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Shop", fullFilePath: "Shop.swift")])
        let specs = [
            "ManagedObject": MacroSpec(
                type: ManagedObjectMacro.self, conformances: conforms ? [] : ["ManagedObjectModeling"]),
            "_ManagedProperty": MacroSpec(type: ManagedPropertyMacro.self),
            "Attribute": MacroSpec(type: AttributeMacro.self),
            "Relationship": MacroSpec(type: RelationshipMacro.self),
            "Transient": MacroSpec(type: TransientMacro.self),
            "Model": MacroSpec(type: ModelMacro.self, conformances: conforms ? [] : ["PersistentModel"]),
            "_PersistedProperty": MacroSpec(type: PersistedPropertyMacro.self),
            "_PropertySetEarly": MacroSpec(type: PersistedPropertyMacro.self),
            "Unique": MacroSpec(type: UniqueMacro.self), "Index": MacroSpec(type: IndexMacro.self),
        ]
        let expandedFile = file.expand(
            macroSpecs: specs,
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            })
        self.source = source
        expanded = expandedFile.description
        messages = context.diagnostics.map(\.message)
        let firstFixIts = context.diagnostics.compactMap(\.fixIts.first)
        fixIts = firstFixIts.map(\.message.message)
        fixed = Self.apply(firstFixIts.flatMap(\.changes), to: source, in: context)
    }

    private static func apply(
        _ changes: [FixIt.Change], to source: String, in context: BasicMacroExpansionContext
    ) -> String {
        var bytes = Array(source.utf8)
        let edits = changes.compactMap { change -> (Range<Int>, String)? in
            guard case .replace(let old, let new) = change else { return nil }
            let start = context.location(for: old.position, anchoredAt: old, fileName: "").offset
            let end = context.location(for: old.endPosition, anchoredAt: old, fileName: "").offset
            return (start..<end, new.description)
        }
        for (range, string) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: Array(string.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
