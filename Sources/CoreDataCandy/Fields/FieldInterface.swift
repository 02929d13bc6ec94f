import OpenCoreDataKit

/// An attribute of a model: its type, the rules for its values, and how it is stored. In a model it is called `Field`.
///
/// ```swift
/// let lastGame = Field(\.lastGame)                                       // Date?
/// let age = Field(\.age, validations: .isIn(18...24))                    // Int
/// let name = Field(\.name, default: "John")                              // String
/// let avatar = Field(\.avatar, as: Avatar.self, default: .placeholder)   // Avatar, as JSON in a Data attribute
/// ```
public struct FieldInterface<Entity: DatabaseEntity, Value>: FieldInterfaceProtocol {
    /// The attribute's name, for messages.
    let name: String
    private let read: (Entity) throws -> Value
    private let write: (Entity, Value) throws -> Void
    private let rules: (Value) throws -> Void
    private let fallback: Value?
    private let isTaken: ((Value, Entity) throws -> Bool)?
    /// Who is notified that a value could not be read and the fallback was taken.
    let conversionErrors = ConversionErrors()

    /// Creates a field of the kit's, whose values are converted.
    ///
    /// - Parameters:
    ///   - field: The kit's field.
    ///   - fallback: The value to take in place of one that can't be read; `nil` if the type has no value for it.
    ///   - rules: Checks a value.
    ///   - output: Converts a value of the kit's field.
    ///   - input: Converts a value for the kit's field.
    init<Stored, Failure: Error>(
        _ field: RecordField<Entity, Stored, Failure>, fallback: Value? = nil,
        rules: @escaping (Value) throws -> Void, output: @escaping (Stored) throws -> Value,
        input: @escaping (Value) throws -> Stored
    ) {
        name = field.name ?? "an attribute"
        write = { try field.write($0, try input($1)) }
        self.rules = rules
        isTaken = field.isUnique ? { try field.isTaken(try input($0), besides: $1) } : nil
        read = { try output(try field.read($0).get()) }
        self.fallback = fallback
    }

    /// Creates a field of the kit's.
    init<Failure: Error>(_ field: RecordField<Entity, Value, Failure>, fallback: Value? = nil) {
        self.init(field, fallback: fallback, rules: field.rules, output: { $0 }, input: { $0 })
    }

    /// The field itself.
    public var field: FieldInterface { self }

    /// The value, read now.
    ///
    /// A value that can't be decoded is reported (see `UnreadableValues`), and the fallback taken instead: without one
    /// nil, or the first case of an enumeration. A field of another type needs a fallback; without one the program
    /// stops.
    func value(of entity: Entity) -> Value {
        do {
            return try read(entity)
        } catch {
            conversionErrors.report(ConversionError(attribute: name, description: "\(error)"))
            UnreadableValues.record(name, of: Entity.modelName, type: Value.self, "\(error)")
            if let substitute = fallback ?? Self.none { return substitute }
            programmerError(
                "The stored value of the attribute '\(name)' of \(Entity.modelName) can't be read as \(Value.self), and the field "
                    + "has no fallback: \(error)")
        }
    }

    /// The value that represents a missing value, where the type has such a thing: nil, or the first case.
    private static var none: Value? {
        if let type = Value.self as? any ExpressibleByNilLiteral.Type { return type.init(nilLiteral: ()) as? Value }
        if let type = Value.self as? any CaseIterable.Type { return firstCase(of: type) as? Value }
        return nil
    }

    private static func firstCase<Cases: CaseIterable>(of type: Cases.Type) -> Cases? { type.allCases.first }

    /// Checks a value by all rules in order, and then whether it is taken.
    ///
    /// - Throws: The first error: that of a rule of the application as it is, others as a ``CoreDataCandyError``.
    func check(_ value: Value, for entity: Entity) throws {
        do {
            try rules(value)
        } catch let refusal as any RuleRefusal {
            let refused = "The value \"\(Self.string(of: value))\" of the field '\(name)' is refused."
            throw CoreDataCandyError.dataValidation(description: "\(refused) \(refusal.sentence)")
        }
        guard let isTaken else { return }
        programmerError(
            unless:
                entity.managedObjectContext != nil,
            "A value of the unique field '\(name)' can only be checked if the \(Entity.modelName) is in a context.")
        if try isTaken(value, entity) {
            throw CoreDataCandyError.existingUnique(
                field: name, value: Self.string(of: value), model: Entity.modelName)
        }
    }

    /// Writes a value that was checked.
    ///
    /// - Throws: ``CoreDataCandyError/storeConversion`` for a value that can't be encoded; the object stays as it was.
    func store(_ value: Value, in entity: Entity) throws {
        do {
            try write(entity, value)
        } catch {
            throw CoreDataCandyError.storeConversion
        }
    }

    /// A value as users see it, without the optional around it.
    private static func string(of value: Value) -> String {
        if let optional = value as? any OptionalValueHolder, let held = optional.heldValue {
            return ValueDescription.string(of: held)
        }
        return ValueDescription.string(of: value)
    }
}

/// Fields and unique fields.
public protocol FieldInterfaceProtocol<Entity, Value> {
    /// The class of the managed object.
    associatedtype Entity: DatabaseEntity
    /// The type of the values.
    associatedtype Value
    /// The field.
    var field: FieldInterface<Entity, Value> { get }
}

extension DatabaseModel {
    /// A field of the model.
    public typealias Field<Value> = FieldInterface<Entity, Value>
    /// A field of which no two objects may have the same value.
    public typealias UniqueField<Value> = UniqueFieldInterface<Entity, Value>
}
