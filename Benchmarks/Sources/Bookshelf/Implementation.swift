/// Something that can run the workload: the raw baseline, or the engine.
public protocol Implementation: AnyObject {
    /// The name in tables and on the command line.
    var name: String { get }

    /// Settings of the implementation's own choice, named beside the figures.
    var settings: String { get }

    /// Makes the store that holds everything, unless a former call of this process or folder made it.
    ///
    /// Only this method and `.insert`, `.insertTags` and `.saveSmall` need the generated data.
    func buildStore() throws

    /// Whether the operation is one of the implementation's.
    func takesPart(in operation: Operation) -> Bool

    /// Prepares one run, times it, and says what it answered. Preparing and freeing are outside the timer.
    func run(_ operation: Operation) throws -> Measurement
}

extension Implementation {
    public func takesPart(in operation: Operation) -> Bool { true }
}
