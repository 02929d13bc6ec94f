public import CoreDataPlatform
import Foundation

/// A to-one relationship of a record's object to an object that has a record, too. In a ``Record``, the type is called
/// `ToOne`.
public struct RecordToOne<Object: NSManagedObject, Target: Record> {
    /// The relationship's name in the model; `nil` if the key path isn't a property of the model.
    public let name: String?
    private let property: ManagedProperty<Target.Object?>?

    /// Describes a relationship.
    ///
    /// The key path must be a relationship of the model. If it has no name in the model, reading or setting the
    /// relationship is a programmer error; ``name`` is `nil` then.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - type: The record of its destination.
    public init(_ keyPath: KeyPath<Object, Target.Object?>, of type: Target.Type) {
        name = KeyPathNames.name(of: keyPath)
        property = name.map { ManagedProperty($0) }
    }

    package func read(_ object: Object) -> Target? { object[required].map { Target(object: $0) } }
    func write(_ target: Target?, _ object: Object) { object[required] = target?.object }

    private var required: ManagedProperty<Target.Object?> {
        guard let property else {
            programmerError("A ToOne of \(Object.self) isn't a relationship: its key path has no name.")
        }
        return property
    }
}

/// A to-many relationship of a record's object to objects that have records, too. In a ``Record``, the type is called
/// `ToMany`.
///
/// The model says whether it is ordered.
public struct RecordToMany<Object: NSManagedObject, Target: Record> {
    /// The relationship's name in the model; `nil` if the key path isn't a property of the model.
    public let name: String?
    private let property: ManagedProperty<[Target.Object]>?

    /// Describes a relationship.
    ///
    /// Whether the relationship is ordered is read from the model each time. If the key path has no name in the model,
    /// reading or changing the relationship is a programmer error; ``name`` is `nil` then.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship. Its type may be a `Set`, an `NSSet` or an `NSOrderedSet`.
    ///   - type: The record of its destination.
    public init(_ keyPath: PartialKeyPath<Object>, of type: Target.Type) {
        name = KeyPathNames.name(of: keyPath)
        property = name.map { ManagedProperty($0) }
    }

    package func read(_ object: Object) -> [Target.Object] { object[required] }
    package func write(_ members: [Target.Object], _ object: Object) { object[required] = members }

    package func isOrdered(_ object: Object) -> Bool {
        object.entity.relationshipsByName[required.name]?.isOrdered == true
    }

    package func add(_ member: Target.Object, _ object: Object) {
        if isOrdered(object) {
            let members = read(object)
            if !members.contains(member) { write(members + [member], object) }
        } else {
            object.mutableSetValue(forKey: required.name).add(member)
        }
    }

    package func remove(_ member: Target.Object, _ object: Object) {
        if isOrdered(object) {
            let members = read(object)
            if members.contains(member) { write(members.filter { $0 != member }, object) }
        } else {
            object.mutableSetValue(forKey: required.name).remove(member)
        }
    }

    private var required: ManagedProperty<[Target.Object]> {
        guard let property else {
            programmerError("A ToMany of \(Object.self) isn't a relationship: its key path has no name.")
        }
        return property
    }
}
