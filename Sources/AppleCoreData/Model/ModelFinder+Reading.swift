#if canImport(ObjectiveC)
package import CoreData

extension ModelFinder {
    /// Reads the model in a file.
    ///
    /// - Throws: An error that names the file: Apple's framework reads compiled models only.
    package static func model(at url: URL) throws -> NSManagedObjectModel {
        guard ["momd", "mom"].contains(url.pathExtension), let model = NSManagedObjectModel(contentsOf: url) else {
            throw CoreDataError.make(
                NSFileReadCorruptFileError, "'\(url.lastPathComponent)' isn't a compiled model (.momd, .mom).",
                path: url.path)
        }
        return model
    }

    /// All models: an app's bundle has its own.
    package static func best(of files: [URL]) -> [URL] { files }
}
#endif
