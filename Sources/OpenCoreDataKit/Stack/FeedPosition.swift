/// A position in the changes of a database, with which a program on another machine can read what this one has written.
///
/// A program that saves passes its position on, as a header or a cookie, and the program that receives it follows it.
/// It is an opaque string of printable characters.
public struct FeedPosition: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    /// The string, for a header or a cookie.
    public let rawValue: String

    /// A position as another program gave it; whether it is one shows when a database follows it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The string.
    public var description: String { rawValue }
}
