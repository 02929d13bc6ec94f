package import Foundation

/// Finds a model by name where programs keep their resources.
extension ModelFinder {
    /// Reads the model of a name.
    ///
    /// - Throws: An error that names the model and the folders that were searched, or the file that can't be read.
    static func model(named name: String) throws -> NSManagedObjectModel {
        try model(named: name, in: searchFolders())
    }

    /// Reads the model of a name from the first of some folders that has it.
    package static func model(named name: String, in folders: [URL]) throws -> NSManagedObjectModel {
        for folder in folders {
            for ending in extensions {
                let url = folder.appendingPathComponent(name).appendingPathExtension(ending)
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                return try NSManagedObjectModel(contentsOfModelFile: url)
            }
        }
        throw CoreDataError.make(
            NSFileReadNoSuchFileError,
            "There is no model '\(name)' (.momd, .mom, .xcdatamodeld) in \(folders.map(\.path).joined(separator: ", "))."
        )
    }
}
