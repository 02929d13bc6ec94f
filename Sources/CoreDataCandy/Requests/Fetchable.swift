public import OpenCoreDataKit

/// What requests give: managed objects and models.
public protocol Fetchable {
    /// The context of requests and updating results that name none.
    ///
    /// The library's is `nil`. An application says its own for all types, or for one:
    ///
    /// ```swift
    /// extension Fetchable {
    ///     static var context: NSManagedObjectContext? { … }
    /// }
    /// ```
    static var context: NSManagedObjectContext? { get }

    /// Makes the value of a fetched object.
    static func _fetched(_ object: NSManagedObject) -> Self
}

extension Fetchable {
    /// None.
    public static var context: NSManagedObjectContext? { nil }
}

/// A managed object class that can be requested, itself or as its models.
public protocol FetchableEntity: DatabaseEntity, Fetchable {}

extension FetchableEntity {
    /// The fetched object itself.
    public static func _fetched(_ object: NSManagedObject) -> Self {
        guard let entity = object as? Self else {
            programmerError("A fetch of \(Self.self) found \(type(of: object)).")
        }
        return entity
    }

    /// Begins a request for managed objects.
    public static func request() -> RequestBuilder<Self, CreationStep, Self> { RequestBuilder() }
}

extension DatabaseModel where Entity: FetchableEntity {
    /// Begins a request for models.
    public static func request() -> RequestBuilder<Entity, CreationStep, Self> { RequestBuilder() }
}
