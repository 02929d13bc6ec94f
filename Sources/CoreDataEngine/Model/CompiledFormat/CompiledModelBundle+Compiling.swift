package import Foundation

extension CompiledModelBundle {
    /// Compiles the source of a model with all its versions: an `.xcdatamodeld` folder.
    ///
    /// - Parameter module: The module of the classes of "Current Product Module"; `nil` leaves them without a module.
    /// - Throws: a `CocoaError` with the path of the version, and a sentence that names the element that is wrong.
    package init(compiling url: URL, module: String? = nil) throws {
        let source = try ModelSourceBundle(contentsOf: url)
        let names = source.versions.map(\.name)
        guard source.currentVersionName.map(names.contains) ?? (names.count == 1) else {
            let folder = "The folder '\(url.lastPathComponent)'"
            let sentence =
                if names.isEmpty {
                    "\(folder) holds no version of a model (.xcdatamodel)."
                } else if let current = source.currentVersionName {
                    "\(folder) holds \(names.count) versions, and the current one, '\(current)', isn't one of them."
                } else {
                    "\(folder) holds \(names.count) versions, but doesn't say which one is current."
                }
            throw ModelError.located(ModelError.corrupt(sentence), at: url)
        }
        let versions = try source.versions.map { version in
            try ModelError.located(at: ModelSourceBundle.url(of: version.name, in: url)) {
                let model = try version.document.inModule(module).model()
                try model.validate()
                return Version(name: version.name, model: model)
            }
        }
        self.init(versions: versions, currentVersionName: source.currentVersionName)
    }
}
