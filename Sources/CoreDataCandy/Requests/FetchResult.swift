/// The result of a request with a target: an optional value, or an array.
public protocol FetchResult {
    /// The type of one result.
    associatedtype Fetched: Fetchable
    /// Creates the result of what a fetch found, in order.
    ///
    /// Called by ``RequestBuilder/fetch(in:)``, on the queue of the context.
    ///
    /// - Parameter fetched: The results.
    init(fetched: [Fetched])
}

extension Optional: FetchResult where Wrapped: Fetchable {
    /// The first that was found.
    ///
    /// `nil` if nothing was found.
    ///
    /// - Parameter fetched: The results, of which the first is kept.
    public init(fetched: [Wrapped]) { self = fetched.first }
}

extension Array: FetchResult where Element: Fetchable {
    /// All that was found.
    ///
    /// Empty if nothing was found.
    ///
    /// - Parameter fetched: The results.
    public init(fetched: [Element]) { self = fetched }
}
