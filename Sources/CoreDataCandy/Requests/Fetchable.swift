public import OpenCoreDataKit

/// A type that requests return: managed objects and models.
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
    ///
    /// Called by requests for each object, on the queue of the context.
    ///
    /// - Parameter object: The object.
    /// - Returns: The object itself, or a model of it.
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
    ///
    /// An object of another class is an error of the program.
    ///
    /// - Parameter object: The object.
    /// - Returns: The object.
    public static func _fetched(_ object: NSManagedObject) -> Self {
        guard let entity = object as? Self else {
            programmerError("A fetch of \(Self.self) found \(type(of: object)).")
        }
        return entity
    }

    /// Begins a request for managed objects.
    ///
    /// Go on with a target, such as `all()` or `first()`. Nothing is fetched before `fetch()`.
    ///
    /// ```swift
    /// let players = try PlayerEntity.request().all().where(\.age > 18).fetch(in: context)
    /// ```
    ///
    /// - Returns: A request without a target.
    public static func request() -> RequestBuilder<Self, CreationStep, Self> { RequestBuilder() }
}

extension DatabaseModel where Entity: FetchableEntity {
    /// Begins a request for models.
    ///
    /// Go on with a target, such as `all()` or `first()`. Nothing is fetched before `fetch()`.
    ///
    /// ```swift
    /// let player = try Player.request().first().where(\.name == "Zerator").fetch(in: context)
    /// ```
    ///
    /// - Returns: A request without a target.
    public static func request() -> RequestBuilder<Entity, CreationStep, Self> { RequestBuilder() }
}
