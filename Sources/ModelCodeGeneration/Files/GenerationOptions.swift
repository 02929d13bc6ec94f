package import Foundation

/// What a file of settings, or a command line, says about generated code. What isn't said stays as it was.
///
/// The file is JSON, such as `{ "import": "CoreData", "collections": "swift" }`.
package struct GenerationOptions: Codable, Sendable {
    package var module: String?
    package var imported: String?
    package var access: String?
    package var collections: String?
    package var optionality: String?
    package var apple: String?
    package var mode: String?
    package var templates: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case module, access, collections, optionality, apple, mode, templates
        case imported = "import"
    }

    package init() {}

    /// Reads a file of settings.
    ///
    /// - Throws: a ``Diagnostic`` that names the key or the file.
    package init(contentsOf url: URL) throws(Diagnostic) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw Diagnostic(file: url.path, line: nil, "the file cannot be read: \(error.localizedDescription)")
        }
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw Diagnostic(file: url.path, line: nil, "the settings aren't a JSON object")
        }
        let known = CodingKeys.allCases.map(\.rawValue)
        if let key = object.keys.sorted().first(where: { !known.contains($0) }) {
            throw Diagnostic(
                file: url.path, line: nil,
                "there is no setting '\(key)'; there are \(known.sorted().joined(separator: ", "))")
        }
        do {
            self = try JSONDecoder().decode(GenerationOptions.self, from: data)
        } catch {
            throw Diagnostic(
                file: url.path, line: nil, "the settings must be strings, and 'templates' must be true or false")
        }
    }

    /// Applies what is said.
    ///
    /// - Parameter file: Where it is said, for diagnostics.
    package func apply(to settings: inout GenerationSettings, file: String) throws(Diagnostic) {
        if let module { settings.moduleName = module }
        if let imported {
            guard SwiftIdentifier.isValid(imported) else {
                throw Diagnostic(file: file, line: nil, "'\(imported)' isn't a valid module name")
            }
            settings.importedModule = imported
        }
        settings.access = try Self.choice(access, "access", file) ?? settings.access
        settings.collections = try Self.choice(collections, "collections", file) ?? settings.collections
        settings.optionality = try Self.choice(optionality, "optionality", file) ?? settings.optionality
        settings.apple = try Self.choice(apple, "apple", file) ?? settings.apple
        if mode != "model" { settings.mode = try Self.choice(mode, "mode", file) ?? settings.mode }
        if let templates { settings.makesTemplateFunctions = templates }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ string: String?, _ key: String, _ file: String
    ) throws(Diagnostic) -> Choice? {
        guard let string else { return nil }
        guard let choice = Choice(rawValue: string) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Diagnostic(file: file, line: nil, "'\(string)' isn't a value of '\(key)'; the values are \(known)")
        }
        return choice
    }
}
