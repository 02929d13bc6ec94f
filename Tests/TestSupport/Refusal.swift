/// What a test throws on purpose.
public struct Refusal: Error, Equatable {
    public var reason: String

    public init(reason: String = "on purpose") { self.reason = reason }
}
