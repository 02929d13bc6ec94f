public import OpenCoreDataKit

/// Relationships to many models.
public protocol ChildrenInterfaceProtocol<Entity, Child> {
    /// The class of the managed object.
    associatedtype Entity: DatabaseEntity
    /// The model of the children.
    associatedtype Child: DatabaseModel
    /// The relationship, inside of the library.
    var _relationship: ChildrenRelationship<Entity, Child> { get }
}

/// A to-many relationship, hidden.
public struct ChildrenRelationship<Entity: DatabaseEntity, Child: DatabaseModel> {
    let toMany: RecordToMany<Entity, EntityRecord<Child.Entity>>

    init(_ keyPath: PartialKeyPath<Entity>) { toMany = RecordToMany(keyPath, of: EntityRecord<Child.Entity>.self) }

    /// The relationship's name, for messages.
    var name: String { toMany.name ?? "a relationship" }
}

/// A relationship to many models, in no order. In a model it is called `Children`.
public struct ChildrenInterface<Entity: DatabaseEntity, Child: DatabaseModel>: ChildrenInterfaceProtocol {
    /// The relationship, inside of the library.
    public let _relationship: ChildrenRelationship<Entity, Child>

    /// Describes a relationship of type `NSSet?`.
    ///
    /// For classes that are generated with `NSSet`. A key path that isn't a relationship of the model is an error of
    /// the program when the relationship is used.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - child: The model of the children.
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, NSSet?>, as child: Child.Type) {
        _relationship = ChildrenRelationship(keyPath)
    }

    /// Describes a relationship that is a typed set.
    ///
    /// For classes that declare the relationship as a `Set` of the children's class.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - child: The model of the children.
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, Set<Child.Entity>>, as child: Child.Type) {
        _relationship = ChildrenRelationship(keyPath)
    }
}

/// A relationship to many models, in an order. In a model it is called `OrderedChildren`.
public struct OrderedChildrenInterface<Entity: DatabaseEntity, Child: DatabaseModel>: ChildrenInterfaceProtocol {
    /// The relationship, inside of the library.
    public let _relationship: ChildrenRelationship<Entity, Child>

    /// Describes a relationship of type `NSOrderedSet?`.
    ///
    /// For classes that are generated with `NSOrderedSet`. The relationship has to be ordered in the model, too.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - child: The model of the children.
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, NSOrderedSet?>, as child: Child.Type) {
        _relationship = ChildrenRelationship(keyPath)
    }

    /// Describes a relationship that is a typed array.
    ///
    /// For classes that declare the relationship as an array. The relationship has to be ordered in the model, too.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - child: The model of the children.
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, [Child.Entity]>, as child: Child.Type) {
        _relationship = ChildrenRelationship(keyPath)
    }
}

/// A relationship to one model. In a model it is called `Parent`, or `Sibling` where the inverse leads to one, too.
public struct ParentInterface<Entity: DatabaseEntity, ParentModel: DatabaseModel> {
    let toOne: RecordToOne<Entity, EntityRecord<ParentModel.Entity>>

    /// Describes a relationship.
    ///
    /// The relationship has to be optional in the class, so that it can be empty.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - parent: The model of the related object.
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, ParentModel.Entity?>, as parent: ParentModel.Type) {
        toOne = RecordToOne(keyPath, of: EntityRecord<ParentModel.Entity>.self)
    }
}

extension DatabaseModel {
    /// A relationship to many models, in no order.
    public typealias Children<Child: DatabaseModel> = ChildrenInterface<Entity, Child>
    /// A relationship to many models, in an order.
    public typealias OrderedChildren<Child: DatabaseModel> = OrderedChildrenInterface<Entity, Child>
    /// A relationship to one model, which has many.
    public typealias Parent<ParentModel: DatabaseModel> = ParentInterface<Entity, ParentModel>
    /// A relationship to one model, which has one.
    public typealias Sibling<SiblingModel: DatabaseModel> = ParentInterface<Entity, SiblingModel>
}
