public import OpenCoreDataKit

/// A managed object class that models are made of.
///
/// ```swift
/// extension PlayerEntity: DatabaseEntity {}
/// ```
public protocol DatabaseEntity: NSManagedObject {
    /// The name of the model, for error messages.
    static var modelName: String { get }
}

extension DatabaseEntity {
    /// The class's name without its module and without the suffix "Entity".
    public static var modelName: String {
        let name = String(describing: Self.self)
        let suffix = "Entity"
        return name.hasSuffix(suffix) && name != suffix ? String(name.dropLast(suffix.count)) : name
    }
}
