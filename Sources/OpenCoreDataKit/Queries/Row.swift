import CoreDataPlatform

/// One row of a ``Summary``: values by the names of its columns.
///
/// ```swift
/// for row in try context.rows(Query(Person.self).summarized(.average(\.age, as: "mean"), by: \.city)) {
///     print(row["city"] ?? "nowhere", try row.value("mean", as: Double.self) ?? 0)
/// }
/// ```
public struct Row: Sendable {
    private let entity: String
    /// The names of the columns, in order.
    public let names: [String]
    private let values: [String: any Sendable]

    init(entity: String, names: [String], values: [String: any Sendable]) {
        self.entity = entity
        self.names = names
        self.values = values
    }

    /// The value of a column as the engine returns it: numbers are `NSNumber` or `NSDecimalNumber`, objects are their
    /// identifiers, and other values have their own types.
    ///
    /// An unknown column has no value either; use ``value(_:as:)`` if a misspelled name should be an error.
    ///
    /// - Parameter name: The name of the column.
    /// - Returns: The value, or `nil` if the row has none.
    public subscript(name: String) -> (any Sendable)? { values[name] }

    /// Returns the value of a column, converted to a type, or `nil` if the row has no value.
    ///
    /// The type can be inferred from the variable that takes the value. Numbers aren't rounded: a value of 1.5 can't be
    /// read as `Int`. A Boolean attribute can be read as `Bool` or as a number.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - type: The type. Numbers are converted to any numeric type that holds them exactly.
    /// - Returns: The value, or `nil`.
    /// - Throws: ``DatabaseError/undecodable(entity:property:value:type:)`` if the value has another type, and
    ///   ``DatabaseError/invalidQuery(entity:reason:)`` if there is no such column.
    public func value<V>(_ name: String, as type: V.Type = V.self) throws -> V? {
        guard let value = values[name] else {
            if names.contains(name) { return nil }
            throw DatabaseError.invalidQuery(
                entity: entity, reason: "The row has no column '\(name)'. It has: \(names.joined(separator: ", ")).")
        }
        if let converted = StoredValue.converted(value, to: type) { return converted }
        throw DatabaseError.undecodable(
            entity: entity, property: name, value: ValueDescription.string(of: value), type: "\(type)")
    }

    /// The values that there are, by name.
    public var dictionary: [String: Any] { values }
}

extension Row: CustomStringConvertible {
    /// Names and values, for messages.
    public var description: String {
        names.map { name in "\(name): \(ValueDescription.string(of: values[name]))" }.joined(separator: ", ")
    }
}
