/// A stored value that could not be read, so that the field's fallback was taken.
public struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attribute.
    public let attribute: String
    /// A description of the error.
    public let description: String
}

/// Reports the values of a field that could not be read.
///
/// To be used on the queue of the objects' context.
final class ConversionErrors {
    /// Is notified of each error.
    var handler: ((ConversionError) -> Void)?
    /// The publisher that the handler sends to.
    var publisher: AnyObject?

    func report(_ error: ConversionError) { handler?(error) }
}
