public import CoreDataPlatform
import Foundation

/// A face of one managed object, whose fields say how values are read, checked and written.
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
/// The initializer is to be written out: the compiler can't find the class of records that lead to each other otherwise.
///
/// Making a record costs nothing and reads nothing. A record is used where its object is: on the queue of the object's
/// context. Two records are equal if their objects are the same; of two contexts they are not.
public protocol Record: Hashable, CustomDebugStringConvertible {
    /// The class of the object.
    associatedtype Object: NSManagedObject

    /// The object.
    var object: Object { get }

    /// Makes a record of an object.
    init(object: Object)
}

extension Record {
    /// A field of the record, see ``RecordField``.
    public typealias Field<Value, Failure: Error> = RecordField<Object, Value, Failure>
    /// A relationship to one object, see ``RecordToOne``.
    public typealias ToOne<Target: Record> = RecordToOne<Object, Target>
    /// A relationship to many objects, see ``RecordToMany``.
    public typealias ToMany<Target: Record> = RecordToMany<Object, Target>

    /// Records of the same object are equal.
    public static func == (left: Self, right: Self) -> Bool { left.object === right.object }

    /// Hashes the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }

    /// The record's type and the values of its attributes, or that they were not read yet.
    public var debugDescription: String {
        guard !object.isFault else { return "\(Self.self)(not loaded)" }
        let names = object.entity.attributesByName.keys.sorted()
        let values = names.map { "\($0): \(ValueDescription.string(of: object.value(forKey: $0)))" }
        return "\(Self.self)(\(values.joined(separator: ", ")))"
    }

    /// Makes a new object of the record's class in a context.
    ///
    /// - Throws: ``DatabaseError`` if the class does not stand for one entity of the context's model.
    public static func create(in context: NSManagedObjectContext) throws -> Self {
        Self(object: try context.create(Object.self))
    }
}
