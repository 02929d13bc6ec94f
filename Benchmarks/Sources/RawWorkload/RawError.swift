/// A failure of the raw baseline, with SQLite's code and message.
public struct RawError: Error, CustomStringConvertible {
    public let code: Int
    public let message: String

    public var description: String { "SQLite error \(code): \(message)" }
}
