package import Foundation

/// The source of one version of a model: an `.xcdatamodel` folder, or the `contents` file in it.
///
/// It keeps everything that the file says, also what has no place in a model: where Xcode draws an entity, how code is
/// generated. So a model that was read, changed and written differs in the changed places only.
package struct ModelSourceDocument: Sendable {
    static let contentsName = "contents"

    /// The element `model`, right or wrong.
    package let root: SourceElement

    init(root: SourceElement) {
        self.root = root
    }

    /// Reads the content of a `contents` file.
    ///
    /// - Throws: a `CocoaError` that names what is damaged, with its line.
    package init(data: Data) throws {
        root = try SourceXMLParser.parse(data)
        guard root.name == "model" else {
            throw ModelError.corrupt("The XML is a <\(root.name)>, not a <model>.")
        }
    }

    /// Reads an `.xcdatamodel` folder, or a `contents` file.
    ///
    /// - Throws: a `CocoaError` with the path of the file.
    package init(contentsOf url: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelError.located(ModelError.missing("There is no model '\(url.lastPathComponent)'."), at: url)
        }
        let file = isFolder.boolValue ? url.appendingPathComponent(Self.contentsName) : url
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw ModelError.located(Self.withoutContents(url), at: url)
        }
        self = try ModelError.located(at: file) { try ModelSourceDocument(data: try ModelFile.data(at: file)) }
    }

    private static func withoutContents(_ url: URL) -> CocoaError {
        let name = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: url.appendingPathComponent("elements").path) else {
            return ModelError.corrupt("The folder '\(name)' has no file '\(contentsName)'.")
        }
        return ModelError.unsupported(
            "The model '\(name)' is in the binary form ('elements') of old versions of Xcode, which is not read. "
                + "Save it with a newer one.")
    }

    /// Describes a model as source.
    ///
    /// What the model's own source says and a model does not know is kept.
    ///
    /// - Throws: a `CocoaError` that names what source cannot express, such as a validation predicate of another form
    ///   than the limits that Xcode offers.
    package init(model: NSManagedObjectModel) throws {
        root = try ModelSourceWriter(model: model, previous: model.sourceDocument?.root).root()
    }

    /// Makes the model.
    ///
    /// - Throws: a `CocoaError` that names the element that is wrong, with its line.
    package func model() throws -> NSManagedObjectModel {
        let model = try ModelSourceReader(root: root).model()
        model.sourceDocument = self
        return model
    }

    /// The content of the `contents` file.
    package var data: Data { SourceXMLPrinter.data(of: root) }

    /// Writes an `.xcdatamodel` folder. Its `contents` file is replaced at once; other files stay.
    ///
    /// - Throws: a `CocoaError` with the path of the file that cannot be written.
    package func write(to url: URL) throws {
        try ModelError.located(at: url) {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try data.write(to: url.appendingPathComponent(Self.contentsName), options: .atomic)
        }
    }
}
