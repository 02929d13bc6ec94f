/// A fetch request, as an expression of the kind `FETCH(request, context, countOnly)` needs it.
package protocol PredicateFetching {
    /// What the request finds, or how much.
    ///
    /// - Returns: An array or a number; nil when `context` is none.
    /// - Throws: The fetch's error.
    func result(inContext context: Any?, countsOnly: Bool) throws -> Any?
}
