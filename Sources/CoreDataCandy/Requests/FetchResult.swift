/// What a request with a target gives: one value or none, or an array.
public protocol FetchResult {
    /// The type of one result.
    associatedtype Fetched: Fetchable
    /// Creates the result of what a fetch found, in order.
    init(fetched: [Fetched])
}

extension Optional: FetchResult where Wrapped: Fetchable {
    /// The first that was found.
    public init(fetched: [Wrapped]) { self = fetched.first }
}

extension Array: FetchResult where Element: Fetchable {
    /// All that was found.
    public init(fetched: [Element]) { self = fetched }
}
