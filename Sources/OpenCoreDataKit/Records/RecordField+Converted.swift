import CoreDataPlatform
public import Foundation

/// How values of a field are stored and read back.
struct FieldConversion<Stored, Value> {
    let store: (Value) throws -> Stored
    let read: (Stored) throws -> Value
}

extension FieldConversion where Stored == Data, Value: Codable {
    /// Values as JSON.
    static var json: FieldConversion {
        FieldConversion(
            store: { value in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                return try encoder.encode(value)
            }, read: { try JSONDecoder().decode(Value.self, from: $0) })
    }
}

extension FieldConversion where Value: RawRepresentable, Value.RawValue == Stored {
    /// Values by their raw values.
    static var rawValue: FieldConversion {
        FieldConversion(
            store: \.rawValue,
            read: { raw in
                guard let value = Value(rawValue: raw) else { throw Validation<Stored>.Refusal("no such value") }
                return value
            })
    }
}

extension FieldConversion {
    func decoded<Object: NSManagedObject>(
        _ stored: Stored, of object: Object, _ name: String?
    ) -> Result<Value, DatabaseError> {
        if let value = try? read(stored) { return .success(value) }
        let string =
            (stored as? Data).map { String(decoding: $0.prefix(100), as: UTF8.self) }
            ?? ValueDescription.string(of: stored)
        return .failure(
            .undecodable(
                entity: object.entity.name ?? "\(Object.self)", property: name ?? "?", value: string,
                type: "\(Value.self)"))
    }
}

// MARK: Codable values in data

extension RecordField where Failure == DatabaseError {
    /// A field of a codable value that is stored as JSON; `nil` if there is no data.
    ///
    /// Reading throws ``DatabaseError/undecodable(entity:property:value:type:)`` if the data can't be decoded.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init<Wrapped: Codable>(
        _ keyPath: ReferenceWritableKeyPath<Object, Data?>, as type: Wrapped.Type, unique: Bool = false,
        rules: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(keyPath, .json, unique: unique, rules: rules)
    }

    /// A field of a codable value that is stored as JSON.
    ///
    /// Reading throws ``DatabaseError/undecodable(entity:property:value:type:)`` if the data can't be decoded.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - value: The value if there is no data.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Data?>, as type: Value.Type, default value: Value,
        unique: Bool = false, rules: Validation<Value>...
    ) where Value: Codable {
        self.init(keyPath, .json, default: value, unique: unique, rules: rules)
    }

    /// A field of an optional value that is stored as its raw value.
    ///
    /// Reading throws ``DatabaseError/undecodable(entity:property:value:type:)`` for an unknown raw value.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init<Wrapped: RawRepresentable>(
        _ keyPath: ReferenceWritableKeyPath<Object, Wrapped.RawValue?>, as type: Wrapped.Type, unique: Bool = false,
        rules: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(keyPath, .rawValue, unique: unique, rules: rules)
    }

    /// A field of a value that is stored as its raw value.
    ///
    /// Reading throws ``DatabaseError/undecodable(entity:property:value:type:)`` for an unknown raw value.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Value.RawValue>, as type: Value.Type, unique: Bool = false,
        rules: Validation<Value>...
    ) where Value: RawRepresentable {
        let conversion = FieldConversion<Value.RawValue, Value>.rawValue
        let name = KeyPathNames.name(of: keyPath)
        self.init(
            keyPath, unique: unique, rules: rules.check,
            read: { conversion.decoded($0[keyPath: keyPath], of: $0, name) },
            write: { $0[keyPath: keyPath] = $1.rawValue }, stored: { $0.rawValue })
    }

    private init<Stored, Wrapped>(
        _ keyPath: ReferenceWritableKeyPath<Object, Stored?>, _ conversion: FieldConversion<Stored, Wrapped>,
        unique: Bool, rules: [Validation<Wrapped>]
    ) where Value == Wrapped? {
        let name = KeyPathNames.name(of: keyPath)
        self.init(
            keyPath, unique: unique, rules: rules.check,
            read: { object in
                guard let stored = object[keyPath: keyPath] else { return .success(nil) }
                return conversion.decoded(stored, of: object, name).map { $0 }
            }, write: { $0[keyPath: keyPath] = try $1.map(conversion.store) },
            stored: { try $0.map(conversion.store) })
    }

    private init<Stored>(
        _ keyPath: ReferenceWritableKeyPath<Object, Stored?>, _ conversion: FieldConversion<Stored, Value>,
        default value: Value, unique: Bool, rules: [Validation<Value>]
    ) {
        let name = KeyPathNames.name(of: keyPath)
        self.init(
            keyPath, unique: unique, rules: rules.check,
            read: { object in
                guard let stored = object[keyPath: keyPath] else { return .success(value) }
                return conversion.decoded(stored, of: object, name)
            }, write: { $0[keyPath: keyPath] = try conversion.store($1) }, stored: { try conversion.store($0) })
    }
}

// MARK: A value in place of what can't be decoded

extension RecordField where Failure == Never {
    /// A field of a codable value that is stored as JSON.
    ///
    /// Reading never throws. Data that can't be decoded stays in the store until another value is set. The keys of the
    /// JSON are written in sorted order.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value if there is no data, or it can't be decoded.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Data?>, as type: Value.Type, fallback: Value,
        unique: Bool = false, rules: Validation<Value>...
    ) where Value: Codable {
        self.init(keyPath, .json, fallback: fallback, unique: unique, rules: rules)
    }

    /// A field of a value that is stored as its raw value.
    ///
    /// Reading never throws. An unknown raw value, such as one of a later version of the program, stays in the store
    /// until another value is set.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value if the raw value is missing or unknown.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Value.RawValue?>, as type: Value.Type, fallback: Value,
        unique: Bool = false, rules: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(keyPath, .rawValue, fallback: fallback, unique: unique, rules: rules)
    }

    /// A field of a value that is stored as its raw value.
    ///
    /// For attributes that can't be `nil`. Reading never throws, and an unknown raw value stays in the store until
    /// another value is set.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value if the raw value is unknown.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Value.RawValue>, as type: Value.Type, fallback: Value,
        unique: Bool = false, rules: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(
            keyPath, unique: unique, rules: rules.check,
            read: { .success(Value(rawValue: $0[keyPath: keyPath]) ?? fallback) },
            write: { $0[keyPath: keyPath] = $1.rawValue }, stored: { $0.rawValue })
    }

    private init<Stored>(
        _ keyPath: ReferenceWritableKeyPath<Object, Stored?>, _ conversion: FieldConversion<Stored, Value>,
        fallback: Value, unique: Bool, rules: [Validation<Value>]
    ) {
        self.init(
            keyPath, unique: unique, rules: rules.check,
            read: { object in
                guard let stored = object[keyPath: keyPath] else { return .success(fallback) }
                return .success((try? conversion.read(stored)) ?? fallback)
            }, write: { $0[keyPath: keyPath] = try conversion.store($1) }, stored: { try conversion.store($0) })
    }
}
