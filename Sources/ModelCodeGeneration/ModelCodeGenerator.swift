package import Foundation

/// Makes Swift source of a model's source: parse, plan, render. Touches no files.
package enum ModelCodeGenerator {
    /// Makes the code of a model.
    ///
    /// - Parameters:
    ///   - data: The `contents` of the `.xcdatamodel`.
    ///   - file: Its path, for diagnostics.
    ///   - name: What the code says it is made from, such as "Library.xcdatamodeld".
    /// - Returns: The renderer; what it renders is good when no diagnostic is an error.
    package static func renderer(
        contents data: Data, file: String, name: String, settings: GenerationSettings
    ) -> Diagnosed<ModelRenderer> {
        var settings = settings
        settings.moduleName = settings.moduleName.flatMap { $0.isEmpty ? nil : $0 }
        do throws(Diagnostic) {
            let document = try ModelParser.parse(data, file: file)
            var plan = ModelPlanner.plan(document, settings)
            plan.value.source = name
            return Diagnosed(ModelRenderer(plan.value, settings), plan.diagnostics)
        } catch {
            return Diagnosed(ModelRenderer(ModelPlan(source: name), settings), [error])
        }
    }
}
