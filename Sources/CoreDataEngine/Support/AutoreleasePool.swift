#if !canImport(ObjectiveC)
/// Runs a block and returns what it returns.
///
/// On Apple's systems, the objects that the block autoreleased are released afterwards. Elsewhere there are no such
/// objects, so code with pools needs no change.
///
/// - Parameter body: The block, which runs at once.
/// - Returns: What the block returns.
/// - Throws: What the block throws.
@inlinable
public func autoreleasepool<Result, Thrown: Error>(
    invoking body: () throws(Thrown) -> Result
) throws(Thrown) -> Result {
    try body()
}
#endif
