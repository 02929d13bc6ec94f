public import CoreDataPlatform

/// A value that can limit an attribute.
public protocol AttributeLimit: Sendable {
    /// The limit as a model keeps it for an attribute of a type; nil when it limits no values of this type.
    func limit(of type: NSAttributeDescription.AttributeType) -> Any?
}

extension Int: AttributeLimit {
    /// The number as a model keeps it, or the length of a string.
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
    public func limit(of type: NSAttributeDescription.AttributeType) -> Any? { type == .decimal ? self : nil }
}

extension Date: AttributeLimit {
    /// The point in time.
    public func limit(of type: NSAttributeDescription.AttributeType) -> Any? { type == .date ? self : nil }
}
