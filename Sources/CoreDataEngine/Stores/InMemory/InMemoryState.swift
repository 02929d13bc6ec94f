/// A state of the rows of a store that has them in memory.
// @unchecked Sendable because the rows are a value that never changes.
final class InMemoryState: StoreGeneration, @unchecked Sendable {
    /// What is read on this thread, of one store or of several.
    @TaskLocal private static var held: [InMemoryState] = []

    let rowCache = RowCache()
    let isOver = false
    private unowned let owner: NSPersistentStore
    private let contents: InMemoryContents

    init(_ contents: InMemoryContents, of owner: NSPersistentStore) {
        self.contents = contents
        self.owner = owner
    }

    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.$held.withValue(Self.held + [self]) { try body() }
    }

    /// The rows that this thread reads of a store in place of the present ones.
    static func contents(of store: NSPersistentStore) -> InMemoryContents? {
        held.last { $0.owner === store }?.contents
    }
}
