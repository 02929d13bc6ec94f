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
    ///
    /// Keep the object and do nothing else: the kit creates a record for each object that it returns. Any object of the
    /// class has a record, deleted ones and those without a context included.
    ///
    /// - Parameter object: The object, which is used on its context's queue.
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
    ///
    /// The values of the object don't count, so a record can stay in a set or a dictionary while they change.
    ///
    /// - Parameter hasher: The hasher.
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
    /// The object has the model's default values and isn't saved. Rules of fields aren't checked for these;
    /// `set(_:to:)` checks each value that it sets.
    ///
    /// - Parameter context: The context into which the object is inserted.
    /// - Returns: The record.
    /// - Throws: ``DatabaseError`` if the class doesn't have exactly one entity in the context's model.
    public static func create(in context: NSManagedObjectContext) throws -> Self {
        Self(object: try context.create(Object.self))
    }
}
