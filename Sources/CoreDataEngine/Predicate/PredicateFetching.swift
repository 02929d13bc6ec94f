/// A fetch request, as an expression of the kind `FETCH(request, context, countOnly)` needs it.
package protocol PredicateFetching {
    /// The results of the request, or their number.
    ///
    /// - Returns: An array or a number; `nil` if `context` isn't a context.
    /// - Throws: The fetch's error.
    func result(inContext context: Any?, countsOnly: Bool) throws -> Any?
}
