/// A managed object class that names its entity.
///
/// Other classes belong to the entity of the context's model that names them.
public protocol CoreDataModelable: AnyObject {
    /// The name of the entity.
    static var entityName: String { get }
}
