import Foundation

/// The content of an `xcmapping.xml` file: the objects of Xcode's mapping editor, which keeps them in Core Data's XML form.
struct MappingSourceDocument {
    /// One object: its attributes as strings, and the identifiers that its relationships lead to.
    struct Item {
        let identifier: String
        let type: String
        var attributes: [String: String] = [:]
        var references: [String: [String]] = [:]

        /// A string that is not empty.
        func string(_ key: String) -> String? { attributes[key].flatMap { $0.isEmpty ? nil : $0 } }

        /// A flag; nil where nothing is said.
        func flag(_ key: String) -> Bool? { attributes[key].map { ["1", "true", "YES"].contains($0) } }

        /// The bytes of a base64 string.
        ///
        /// - Throws: A `CocoaError` that names the object and key.
        func data(_ key: String) throws -> Data? {
            guard let string = string(key) else { return nil }
            guard let data = Data(base64Encoded: string, options: .ignoreUnknownCharacters), !data.isEmpty else {
                throw ModelError.corrupt("The value '\(key)' of the object \(identifier) is not base64.")
            }
            return data
        }

        var number: Int? { attributes["mappingnumber"].flatMap(Int.init) }
    }

    private let items: [String: Item]
    /// The mapping model itself.
    let root: Item

    /// Reads the XML.
    ///
    /// - Throws: A `CocoaError` that names what is damaged.
    init(_ data: Data) throws {
        let database = try SourceXMLParser.parse(data)
        guard database.name == "database" else {
            throw ModelError.corrupt("The XML is not a mapping model: its first element is <\(database.name)>.")
        }
        var items: [String: Item] = [:]
        var roots: [Item] = []
        for element in database.children(named: "object") {
            let item = try Self.item(element)
            guard items.updateValue(item, forKey: item.identifier) == nil else {
                throw ModelError.corrupt("Two objects of the mapping model have the identifier '\(item.identifier)'.")
            }
            if item.type == "XDDEVMAPPINGMODEL" { roots.append(item) }
        }
        guard roots.count == 1, let root = roots.first else {
            throw ModelError.corrupt("The XML holds \(roots.count) mapping models, not one.")
        }
        self.items = items
        self.root = root
    }

    private static func item(_ element: SourceElement) throws -> Item {
        guard let identifier = element.attributes["id"], !identifier.isEmpty, let type = element.attributes["type"]
        else {
            throw ModelError.corrupt("The object in line \(element.line) has no identifier or type.")
        }
        var item = Item(identifier: identifier, type: type.uppercased())
        for child in element.children {
            guard let name = child.attributes["name"]?.lowercased() else { continue }
            switch child.name {
            case "attribute": item.attributes[name] = child.text.trimmingCharacters(in: .whitespacesAndNewlines)
            case "relationship":
                item.references[name] = (child.attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
            default: break
            }
        }
        return item
    }

    /// The objects that a relationship of an object leads to.
    ///
    /// - Throws: A `CocoaError` when one is not there or of another kind.
    func items(_ relationship: String, of item: Item, type: String) throws -> [Item] {
        var seen = Set<String>()
        return try (item.references[relationship] ?? []).map { reference in
            guard let found = items[reference], found.type == type, seen.insert(reference).inserted else {
                throw ModelError.corrupt(
                    "The '\(relationship)' of the object \(item.identifier) leads to '\(reference)', which doesn't exist, "
                        + "has another type, or occurs twice.")
            }
            return found
        }
    }

    // MARK: Models

    /// The models to compile for.
    ///
    /// - Parameters:
    ///   - models: The ones that are asked for; they are taken when they have the entities that the copies in the document,
    ///     if there are any, have.
    ///   - url: The file of the document.
    func models(matching models: MappingModels?, near url: URL) throws -> MappingModels {
        if let models, try agrees(models) { return models }
        return MappingModels(
            source: try model("source", near: url), destination: try model("destination", near: url))
    }

    /// Whether the copies in the document are of these models. Without copies any models will do.
    private func agrees(_ models: MappingModels) throws -> Bool {
        for (side, model) in [("source", models.source), ("destination", models.destination)] {
            guard let copy = try copy(side) else { continue }
            guard copy.entityVersionHashesByName == model.entityVersionHashesByName else { return false }
        }
        return true
    }

    private func copy(_ side: String) throws -> NSManagedObjectModel? {
        try root.data(side + "modeldata").map { try XcodeModelDecoder.decode($0) }
    }

    /// The model of one side: the file that the document names, or the copy that it holds.
    private func model(_ side: String, near url: URL) throws -> NSManagedObjectModel {
        if let path = root.string(side + "modelpath"), let model = Self.model(at: path, near: url) { return model }
        guard let copy = try copy(side) else {
            throw ModelError.missing(
                "The \(side) model '\(root.string(side + "modelpath") ?? "")' of the mapping model doesn't exist, and the "
                    + "mapping model contains no copy of it.")
        }
        return copy
    }

    /// Reads a model by a path that is relative to a folder above the document, which is not known: the end of the path is
    /// looked for in the folders above, the whole path first.
    private static func model(at path: String, near url: URL) -> NSManagedObjectModel? {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count <= 64, !parts.contains("..") else { return nil }
        for skipped in parts.indices {
            let end = parts[skipped...].joined(separator: "/")
            var folder = url.deletingLastPathComponent()
            for _ in 0..<16 where folder.pathComponents.count > 1 {
                let candidate = folder.appendingPathComponent(end)
                if FileManager.default.fileExists(atPath: candidate.path),
                    let model = try? NSManagedObjectModel(contentsOfModelFile: candidate)
                {
                    return model
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }
}
