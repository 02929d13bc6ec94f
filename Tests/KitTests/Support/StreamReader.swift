/// Reads a stream on the main actor, whatever its elements are.
@MainActor final class StreamReader<Element> {
    private var iterator: AsyncStream<Element>.Iterator

    init(_ stream: AsyncStream<Element>) { iterator = stream.makeAsyncIterator() }

    func next() async -> Element? {
        var copy = iterator
        defer { iterator = copy }
        return await copy.next(isolation: MainActor.shared)
    }
}
