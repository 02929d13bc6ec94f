/// The source of a database's model.
public enum ModelSource: Sendable {
    /// The model with the database's name: a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel` in the program's
    /// bundles, in the resource folders beside the executable, in the current folder or its folder `Models`.
    case byName
    /// The model with a name in a bundle or its resource folders.
    case named(String, in: Bundle)
    /// A model file or folder.
    case at(URL)
    /// A model. It can't be changed while the database is open.
    case value(NSManagedObjectModel)
}
