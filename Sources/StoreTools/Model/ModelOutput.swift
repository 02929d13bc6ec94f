package import Foundation
package import OpenCoreData

/// Where a command puts a model: the ending of the path says the form.
package struct ModelOutput {
    package enum Form: String {
        case versionedSource = "xcdatamodeld"
        case source = "xcdatamodel"
        case versionedCompiled = "momd"
        case compiled = "mom"
    }

    package let url: URL
    package let form: Form

    /// - Throws: An error if the extension isn't one of `forms`.
    package init(path: String, forms: [Form]) throws {
        url = URL(fileURLWithPath: path)
        guard let form = Form(rawValue: url.pathExtension), forms.contains(form) else {
            let endings = forms.map { ".\($0.rawValue)" }.joined(separator: ", ")
            throw ToolFailure(
                "The output \(path) must end in \(forms.count == 1 ? endings : "one of \(endings)").")
        }
        self.form = form
    }

    /// Whether a folder is written.
    private var isFolder: Bool { form != .compiled }

    /// - Throws: `ToolFailure` where no model may be put: over a store or over what is read, and over anything else
    ///   unless forced to.
    package func check(force: Bool, inputs: [URL]) throws {
        _ = try OutputLocation(url.relativePath, force: force, inputs: inputs, isFolder: isFolder)
    }

    private var name: String { url.deletingPathExtension().lastPathComponent }

    /// Writes one model. What was there before is replaced by all of it, or stays.
    package func write(_ model: NSManagedObjectModel) throws {
        try writing { url in
            switch form {
            case .compiled:
                try OutputFile.write(model.encodedCompiledModel(), to: url)
            case .versionedCompiled:
                try CompiledModelBundle(versions: [.init(name: name, model: model)], currentVersionName: name)
                    .write(to: url)
            case .source:
                try ModelSourceDocument(model: model).write(to: url)
            case .versionedSource:
                let document = try ModelSourceDocument(model: model)
                try ModelSourceBundle(versions: [.init(name: name, document: document)], currentVersionName: name)
                    .write(to: url)
            }
        }
    }

    /// Runs a block that writes; an error of the system becomes one that names the output.
    package func writing(_ write: (URL) throws -> Void) throws {
        do {
            try write(url.resolvingSymlinksInPath())
        } catch {
            guard let failure = SystemFailure(error) else { throw error }
            throw ToolFailure("The model \(url.relativePath) cannot be written: \(failure).")
        }
    }
}
