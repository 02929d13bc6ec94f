public import CoreDataPlatform
import Foundation

/// A wrapper of a managed object, whose fields say how values are read, checked and written.
///
/// ```swift
/// struct Player: Record {
///     let object: PlayerEntity
///     let name = Field(\.name, unique: true, rules: .notEmpty)
///     let score = Field(\.score, rules: .isIn(0...100))
///     let games = ToMany(\.games, of: Game.self)
///     let team = ToOne(\.team, of: Team.self)
///
///     init(object: PlayerEntity) { self.object = object }
/// }
/// ```
///
/// Write out the initializer: otherwise the compiler can't infer the class of records that refer to each other.
///
/// Creating a record is free and reads nothing. Use a record on the queue of its object's context. Two records are
/// equal if they have the same object; records from different contexts are never equal.
public protocol Record: Hashable, CustomDebugStringConvertible {
    /// The class of the object.
    associatedtype Object: NSManagedObject

    /// The object.
    var object: Object { get }

    /// Creates a record of an object.
    init(object: Object)
}

extension Record {
    /// A field of the record; see ``RecordField``.
    public typealias Field<Value, Failure: Error> = RecordField<Object, Value, Failure>
    /// A to-one relationship; see ``RecordToOne``.
    public typealias ToOne<Target: Record> = RecordToOne<Object, Target>
    /// A to-many relationship; see ``RecordToMany``.
    public typealias ToMany<Target: Record> = RecordToMany<Object, Target>

    /// Records of the same object are equal.
    public static func == (left: Self, right: Self) -> Bool { left.object === right.object }

    /// Hashes the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }

    /// The record's type and the values of its attributes, unless they haven't been read yet.
    public var debugDescription: String {
        guard !object.isFault else { return "\(Self.self)(not loaded)" }
        let names = object.entity.attributesByName.keys.sorted()
        let values = names.map { "\($0): \(ValueDescription.string(of: object.value(forKey: $0)))" }
        return "\(Self.self)(\(values.joined(separator: ", ")))"
    }

    /// Creates an object of the record's class, and returns its record.
    ///
    /// - Parameter context: The context into which the object is inserted.
    /// - Throws: ``DatabaseError`` if the class doesn't have exactly one entity in the context's model.
    public static func create(in context: NSManagedObjectContext) throws -> Self {
        Self(object: try context.create(Object.self))
    }
}
