package import Foundation

/// Finds a model by name where programs keep their resources.
extension ModelFinder {
    /// Reads the model of a name.
    ///
    /// - Throws: An error that names the model and the folders that were searched, or the file that can't be read.
    static func model(named name: String) throws -> NSManagedObjectModel {
        try model(named: name, in: searchFolders())
    }

    /// Reads the model of a name from the folder that most likely has the program's own, the first of several.
    package static func model(named name: String, in folders: [URL]) throws -> NSManagedObjectModel {
        if let url = best(of: files(named: name, in: folders)).first {
            return try NSManagedObjectModel(contentsOfModelFile: url)
        }
        throw CoreDataError.make(
            NSFileReadNoSuchFileError,
            "There is no model '\(name)' (.momd, .mom, .xcdatamodeld) in \(folders.map(\.path).joined(separator: ", "))."
        )
    }
}
