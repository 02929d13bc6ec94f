#if !canImport(ObjectiveC)
/// Runs a block and returns what it returns.
///
/// On Apple's systems, the objects that the block autoreleased are released afterwards. Elsewhere there are no such
/// objects, so code with pools needs no change.
@inlinable
public func autoreleasepool<Result, Thrown: Error>(
    invoking body: () throws(Thrown) -> Result
) throws(Thrown) -> Result {
    try body()
}
#endif
