import Foundation

/// Everything that an atomic store holds between its calls.
struct AtomicState {
    /// The rows that fetches see.
    var contents: InMemoryContents
    /// The transaction that is going on.
    var transaction: AtomicTransaction?
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

/// What a transaction makes of an atomic store, on the thread that saves.
final class AtomicTransaction {
    private let thread = ThreadValue.token
    /// The rows as the transaction has them; `nil` before it has changed any.
    var contents: InMemoryContents?
    /// What it has done to the nodes, in order.
    var nodes: [AtomicNodeChange] = []

    var isOfThread: Bool { thread == ThreadValue.token }
}

/// What a save has done to the nodes, to be undone when it fails.
struct AtomicNodeChange {
    var nodes: [Int64: NSAtomicStoreCacheNode]?
    var caches: [(node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = []
}

extension AtomicState {
    /// The rows as the calling thread sees them.
    var visibleContents: InMemoryContents {
        if let transaction, transaction.isOfThread, let contents = transaction.contents { return contents }
        return contents
    }
}
