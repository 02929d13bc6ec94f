/// Cells that are identified by the name of their class.
public protocol CellIdentifierType {
    /// The identifier; the name of the type if omitted.
    static var cellIdentifier: String { get }
}

extension CellIdentifierType {
    /// The name of the type, without its module.
    public static var cellIdentifier: String { String(describing: self) }
}
