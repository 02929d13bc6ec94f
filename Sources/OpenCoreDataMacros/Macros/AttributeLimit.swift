public import CoreDataPlatform

/// A value that can limit an attribute.
public protocol AttributeLimit: Sendable {
    /// The limit as a model keeps it for an attribute of a type; nil when it limits no values of this type.
    ///
    /// A `nil` makes creating the model throw an error that names the attribute.
    ///
    /// - Parameter type: The type of the attribute.
    /// - Returns: The limit, or `nil`.
    func limit(of type: NSAttributeDescription.AttributeType) -> Any?
}

extension Int: AttributeLimit {
    /// The number as a model keeps it, or the length of a string.
    ///
    /// Fits integers, floating-point numbers, decimals and strings.
    ///
    /// - Parameter type: The type of the attribute.
    /// - Returns: The limit; `nil` for other types.
    public func limit(of type: NSAttributeDescription.AttributeType) -> Any? {
        switch type {
        case .integer16, .integer32, .integer64, .string: NSNumber(value: Int64(self))
        case .double: NSNumber(value: Double(self))
        case .float: NSNumber(value: Float(self))
        case .decimal: Decimal(self)
        default: nil
        }
    }
}

extension Double: AttributeLimit {
    /// The number as a model keeps it.
    ///
    /// Fits floating-point numbers and decimals, but not integers.
    ///
    /// - Parameter type: The type of the attribute.
    /// - Returns: The limit; `nil` for other types.
    public func limit(of type: NSAttributeDescription.AttributeType) -> Any? {
        switch type {
        case .double: NSNumber(value: self)
        case .float: NSNumber(value: Float(self))
        case .decimal: Decimal(string: description, locale: nil)
        default: nil
        }
    }
}

extension Decimal: AttributeLimit {
    /// The number as a model keeps it.
    ///
    /// Fits decimals only.
    ///
    /// - Parameter type: The type of the attribute.
    /// - Returns: The limit; `nil` for other types.
    public func limit(of type: NSAttributeDescription.AttributeType) -> Any? { type == .decimal ? self : nil }
}

extension Date: AttributeLimit {
    /// The point in time.
    ///
    /// Fits dates only.
    ///
    /// - Parameter type: The type of the attribute.
    /// - Returns: The limit; `nil` for other types.
    public func limit(of type: NSAttributeDescription.AttributeType) -> Any? { type == .date ? self : nil }
}
