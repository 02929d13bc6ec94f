import Bookshelf

/// What an operation may cost, as a ratio to the raw baseline of the same run.
struct Budget {
    enum Level: String, CaseIterable {
        case foundation, complete, goal
        /// For the engine on a PostgreSQL server.
        case postgresql
    }

    let foundation: Double
    let complete: Double
    let goal: Double
    var postgresql: Double?

    subscript(level: Level) -> Double? {
        switch level {
        case .foundation: foundation
        case .complete: complete
        case .goal: goal
        case .postgresql: postgresql
        }
    }

    /// Most that 1,000,000 books may take of the time of 100,000.
    static let fetchScale = 10.5
    static let insertScale = 12.0
    /// Most bytes held for each book that a fetch of 1,000,000 may cost.
    static let bytesPerBook = 300.0
}

extension Bookshelf.Operation {
    /// The budget, for the operations that have one.
    var budget: Budget? {
        switch self {
        case .insert: Budget(foundation: 2.5, complete: 1.4, goal: 0.8, postgresql: 1.25)
        case .insertTags: Budget(foundation: 2.8, complete: 1.5, goal: 0.85)
        case .fetchTouch: Budget(foundation: 1.9, complete: 1.3, goal: 1.0, postgresql: 1.5)
        case .fetchIDs: nil
        case .fetchFaults: Budget(foundation: 5.0, complete: 3.0, goal: 2.0)
        case .byKey: Budget(foundation: 6.0, complete: 2.5, goal: 1.2, postgresql: 1.3)
        case .byIDHit: Budget(foundation: 40, complete: 20, goal: 12)
        case .byIDMiss: Budget(foundation: 6.0, complete: 2.5, goal: 1.1)
        case .predicate: Budget(foundation: 1.3, complete: 1.1, goal: 1.0)
        case .traverse: Budget(foundation: 1.5, complete: 0.8, goal: 0.5, postgresql: 0.1)
        case .traversePrefetch: Budget(foundation: 3.5, complete: 2.0, goal: 1.1)
        case .update: Budget(foundation: 2.5, complete: 1.6, goal: 1.0, postgresql: 1.3)
        case .delete: Budget(foundation: 1.7, complete: 1.3, goal: 1.0)
        case .aggregate: Budget(foundation: 1.2, complete: 1.05, goal: 1.0)
        case .saveSmall: Budget(foundation: 2.2, complete: 1.5, goal: 1.2, postgresql: 1.3)
        case .match: Budget(foundation: 3.5, complete: 2.0, goal: 1.3)
        case .screen, .walk, .merge, .cascade: nil
        case .import: Budget(foundation: 3.0, complete: 3.0, goal: 2.0)
        }
    }
}
