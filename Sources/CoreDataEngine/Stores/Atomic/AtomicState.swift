import Foundation

/// Everything that an atomic store holds between its calls.
struct AtomicState {
    /// The rows that fetches see.
    var contents: InMemoryContents
    /// While a save is under way: the rows as they will be.
    var nextContents: InMemoryContents?
    /// The application's nodes by row number. A number is a row's of one tree, and no other tree has it.
    var nodes: [Int64: NSAtomicStoreCacheNode] = [:]
    /// Nodes that were added and are no rows yet.
    var waiting: [NSAtomicStoreCacheNode] = []
    var references: ReferenceTable?
    /// Whether the metadata or the URL were changed since the last save.
    var needsSave = false
    var isLoaded = false

    init(layout: ModelLayout?) {
        contents = InMemoryContents(layout: layout)
    }
}
