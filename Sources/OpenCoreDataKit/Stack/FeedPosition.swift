/// What is in the stores of a database at some moment, for reading what one has written by way of another machine.
///
/// A program that saves hands its position to whoever asks next, as a header or a cookie, and the program that is asked then
/// follows it. It is a string of printable characters that means nothing to anybody else.
public struct FeedPosition: Sendable, Hashable, RawRepresentable, Codable, CustomStringConvertible {
    /// The string, for a header or a cookie.
    public let rawValue: String

    /// A position as another program gave it; whether it is one shows when a database follows it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The string.
    public var description: String { rawValue }
}
