/// A class of managed objects that says which entity it stands for.
///
/// Classes without it stand for the entity of the context's model that names them.
public protocol CoreDataModelable: AnyObject {
    /// The name of the entity.
    static var entityName: String { get }
}
