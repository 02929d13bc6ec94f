import Foundation
import OpenCoreData

/// Where a command puts a model: the ending of the path says the form.
struct ModelOutput {
    enum Form: String {
        case versionedSource = "xcdatamodeld"
        case source = "xcdatamodel"
        case versionedCompiled = "momd"
        case compiled = "mom"
    }

    let url: URL
    let form: Form

    /// - Throws: When the ending is none of `forms`.
    init(path: String, forms: [Form]) throws {
        url = URL(fileURLWithPath: path)
        guard let form = Form(rawValue: url.pathExtension), forms.contains(form) else {
            let endings = forms.map { ".\($0.rawValue)" }.joined(separator: ", ")
            throw CommandFailure(
                "The output \(path) must end in \(forms.count == 1 ? endings : "one of \(endings)").")
        }
        self.form = form
    }

    private var name: String { url.deletingPathExtension().lastPathComponent }

    /// Writes one model. What was there before is replaced by all of it, or stays.
    func write(_ model: NSManagedObjectModel) throws {
        switch form {
        case .compiled:
            let data = try model.encodedCompiledModel()
            do {
                try data.write(to: url, options: .atomic)
            } catch {
                throw CommandFailure("The file \(url.path) cannot be written: \(error.localizedDescription)")
            }
        case .versionedCompiled:
            try CompiledModelBundle(versions: [.init(name: name, model: model)], currentVersionName: name).write(
                to: url)
        case .source:
            try ModelSourceDocument(model: model).write(to: url)
        case .versionedSource:
            let document = try ModelSourceDocument(model: model)
            try ModelSourceBundle(versions: [.init(name: name, document: document)], currentVersionName: name)
                .write(to: url)
        }
    }
}
