public import OpenCoreDataKit

extension Bundle {
    /// The model of a name in this bundle, or in the bundles of resources in it. A model that is not there, or can't be
    /// read, stops the program.
    ///
    /// If several of them have a model of the name, the program's own is used.
    ///
    /// - Parameter name: The name, without an extension.
    /// - Returns: The model.
    public func managedObjectModel(name: String) -> NSManagedObjectModel {
        do {
            return try ModelSearch.model(named: name, in: ModelSearch.folders(of: self))
        } catch {
            programmerError(DatabaseError.sentence(error))
        }
    }
}
