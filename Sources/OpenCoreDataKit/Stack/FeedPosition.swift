/// A position in the changes of a database, with which a program on another machine can read what this one has written.
///
/// A program that saves passes its position on, as a header or a cookie, and the program that receives it follows it.
/// It is an opaque string of printable characters.
public struct FeedPosition: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    /// The string, for a header or a cookie.
    public let rawValue: String

    /// Creates a position from a string of another program. It is checked when a database follows it.
    ///
    /// Any string is accepted. ``Database/follow(_:)`` throws `NSPersistentStoreOperationError` for one that isn't a
    /// position, so a header of a request can be passed on unchecked.
    ///
    /// - Parameter rawValue: The string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The string.
    public var description: String { rawValue }
}
