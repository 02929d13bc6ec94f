import CoreDataPlatform
public import OpenCoreDataKit

/// A face of a managed object: which of its attributes and relationships there are, and in which types.
///
/// ```swift
/// struct Player: DatabaseModel {
///     let _entityWrapper: EntityWrapper<PlayerEntity>
///     let name = Field(\.name, validations: .notEmpty)
///
///     init(entity: PlayerEntity) {
///         _entityWrapper = .init(entity: entity)
///     }
/// }
/// ```
///
/// A model costs nothing to make and fetches nothing. Two models are equal when their objects are the same object of the
/// same context. Reading and writing is done on the queue of the object's context.
public protocol DatabaseModel: Fetchable, Hashable, CustomDebugStringConvertible {
    /// The class of the managed object.
    associatedtype Entity: DatabaseEntity
    /// The managed object, hidden.
    var _entityWrapper: EntityWrapper<Entity> { get }
    /// Creates the model of a managed object.
    ///
    /// Store the object in a wrapper, and do nothing else: the library makes a model for each object that it returns.
    ///
    /// - Parameter entity: The managed object.
    init(entity: Entity)
}

extension DatabaseModel {
    /// The managed object.
    var entity: Entity { _entityWrapper.entity }

    /// Makes the model of a fetched object.
    ///
    /// Used by requests. An object of another class is an error of the program.
    ///
    /// - Parameter object: An object of the model's class.
    /// - Returns: The model.
    public static func _fetched(_ object: NSManagedObject) -> Self {
        guard let entity = object as? Entity else {
            programmerError("A fetch of \(Entity.self) found \(type(of: object)).")
        }
        return Self(entity: entity)
    }

    /// Runs a block on the queue of the object's context; at once for an object without one.
    func onQueue<R>(_ block: () throws -> R) rethrows -> R {
        guard let context = entity.managedObjectContext else { return try block() }
        return try context.performAndWait(block)
    }
}

// MARK: Identity

extension DatabaseModel {
    /// Whether two models show the same object of the same context.
    ///
    /// Values don't count: models of one row in two contexts differ.
    ///
    /// - Parameters:
    ///   - left: A model.
    ///   - right: Another model.
    /// - Returns: Whether the objects are identical.
    public static func == (left: Self, right: Self) -> Bool { left.entity === right.entity }

    /// Hashes the object's identity.
    ///
    /// A model can stay in a set while the values of its object change.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(entity)) }

    /// The model's name with the values of the object's attributes, or a note that they are not in memory.
    public var debugDescription: String {
        onQueue {
            guard !entity.isFault else { return "\(Entity.modelName) (data: fault)" }
            let names = entity.entity.attributesByName.keys.sorted()
            let values = names.map { "\($0): \(ValueDescription.string(of: entity.value(forKey: $0)))" }
            return "\(Entity.modelName) (\(values.joined(separator: ", ")))"
        }
    }
}

// MARK: Deleting

extension DatabaseModel {
    /// Deletes the object from its context. Nothing is saved; an object without a context stays unchanged.
    ///
    /// The store has the object until the context is saved. The model's delete rules apply.
    public func remove() {
        onQueue { entity.managedObjectContext?.delete(entity) }
    }
}
