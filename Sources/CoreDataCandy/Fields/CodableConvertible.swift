public import OpenCoreDataKit

/// A type that is not codable, and has a codable stand-in to be stored in its place.
///
/// ```swift
/// extension Picture: CodableConvertible {
///     var codableModel: StoredPicture { StoredPicture(png: png) }
/// }
///
/// struct StoredPicture: CodableConvertibleModel {
///     let png: Data
///     var converted: Picture { Picture(png: png) }
/// }
/// ```
public protocol CodableConvertible {
    /// The stand-in's type.
    associatedtype CodableModel: CodableConvertibleModel where CodableModel.Converted == Self
    /// The stand-in of this value.
    var codableModel: CodableModel { get throws }
}

/// The codable stand-in of a type that is not codable.
public protocol CodableConvertibleModel: Codable {
    /// The type that it represents.
    associatedtype Converted
    /// The value that it represents.
    var converted: Converted { get throws }
}

extension FieldInterface {
    /// A field of a value that is stored as the JSON of its stand-in; `nil` if there is no data, or it can't be
    /// decoded.
    ///
    /// If `codableModel` throws, assigning fails with ``CoreDataCandyError/storeConversion``. Data that can't be
    /// decoded is reported as a ``ConversionError`` each time that it is read.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Wrapped: CodableConvertible>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Wrapped.Type, validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(
            RecordField<Entity, Wrapped.CodableModel?, DatabaseError>(keyPath, as: Wrapped.CodableModel.self),
            rules: Validation.all(validations).check, output: { try $0?.converted }, input: { try $0?.codableModel })
    }

    /// A field of a value that is stored as the JSON of its stand-in. The default value is used if there is no data, or
    /// it can't be decoded.
    ///
    /// The default value isn't written by reading it.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - value: The default value.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Value.Type, default value: Value,
        validations: Validation<Value>...
    ) where Value: CodableConvertible {
        self.init(keyPath, standIn: value, fallback: value, validations)
    }

    /// A field of a value that is stored as the JSON of its stand-in. The fallback is used if there is no data, or it
    /// can't be decoded.
    ///
    /// The data that can't be decoded stays until another value is assigned.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value in place of one that can't be read.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Value.Type, fallback: Value,
        validations: Validation<Value>...
    ) where Value: CodableConvertible {
        self.init(keyPath, standIn: fallback, fallback: fallback, validations)
    }

    private init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, standIn value: Value, fallback: Value?,
        _ validations: [Validation<Value>]
    ) where Value: CodableConvertible {
        self.init(
            RecordField<Entity, Value.CodableModel?, DatabaseError>(keyPath, as: Value.CodableModel.self),
            fallback: fallback, rules: Validation.all(validations).check, output: { try $0?.converted ?? value },
            input: { try $0.codableModel })
    }
}
