package import ModelCodeGeneration
package import OpenCoreData

/// The classes with `@Model` that a model describes, as source.
package struct ModelClasses {
    /// The source of each class, under the name of the file for it.
    package let files: [GeneratedFile]
    /// What the classes can't say. Their version hashes are others then.
    package let leftOut: [String]

    private static let imports = "import Foundation\nimport SwiftData\n"

    /// - Parameters:
    ///   - values: The values of enumerations, which a model doesn't name.
    ///   - access: The access level of the declarations; `internal` if nil.
    /// - Throws: `ToolFailure` for an entity that no class can have the name of.
    package init(_ model: NSManagedObjectModel, values: EnumerationValues, access: String? = nil) throws {
        var planner = ModelClassPlanner(model, values)
        let renderer = ModelClassRenderer(access: access.map { $0 == "internal" ? "" : $0 + " " } ?? "")
        files = try planner.classes().map {
            GeneratedFile(name: "\($0.name).swift", content: "\(Self.imports)\n\(renderer.source(of: $0))")
        }
        leftOut = planner.leftOut
    }

    /// All classes in one file.
    package var source: String {
        let classes = files.map { String($0.content.dropFirst(Self.imports.count)) }
        return Self.imports + classes.joined()
    }
}
