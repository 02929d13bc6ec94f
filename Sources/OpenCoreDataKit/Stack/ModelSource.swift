/// Where the model of a database comes from.
public enum ModelSource: Sendable {
    /// The model that is called as the database: `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`, in the program's
    /// bundles, in the resource folders beside the executable, in the current folder or its folder `Models`.
    case byName
    /// The model of a name in a bundle or its resource folders.
    case named(String, in: Bundle)
    /// A model file or folder.
    case at(URL)
    /// A model that is there already. It can't be changed once the database is open.
    case value(NSManagedObjectModel)
}
