import Synchronization

/// Observes the work of the stores of a program, for traces and for metrics of single statements.
package protocol StoreMonitor: Sendable {
    /// Runs work of a store, and records what it was and how long it took.
    func measure<Result>(_ task: StoreTask, _ body: () throws -> Result) rethrows -> Result
    /// Records a statement that has run on the calling thread just now.
    func didRun(_ statement: MonitoredStatement)
    /// What the caller is part of, such as a request of a server: runs a block as a part of it, on whichever thread.
    func scope() -> @Sendable (() -> Void) -> Void
}

/// One piece of work of a store. It has no values of the application.
package struct StoreTask: Sendable {
    package enum Kind: String, Sendable {
        case save, fetch, count
    }

    package var kind: Kind
    package var store: StoreLabels
    /// The entity that is fetched.
    package var entity: String?
}

/// A statement of SQL that has run, without its text and its values.
package struct MonitoredStatement: Sendable {
    /// What a statement does.
    package enum Kind: String, Sendable, CaseIterable {
        case select, insert, update, delete, transaction, other

        /// The kind of a statement by its text. A query that changes rows within counts as a change.
        package init(of sql: String) {
            let word = sql.prefix { $0.isLetter }.uppercased()
            switch word {
            case "INSERT": self = .insert
            case "UPDATE": self = .update
            case "DELETE": self = .delete
            case "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "START", "END": self = .transaction
            case "SELECT", "WITH":
                let inner: [(String, Kind)] = [("(UPDATE ", .update), ("(INSERT ", .insert), ("(DELETE ", .delete)]
                self = inner.first { sql.contains($0.0) }?.1 ?? .select
            default: self = .other
            }
        }
    }

    package var kind: Kind
    package var store: StoreLabels
    package var nanoseconds: Int64
    package var hasFailed: Bool

    package init(kind: Kind, store: StoreLabels, nanoseconds: Int64, hasFailed: Bool) {
        self.kind = kind
        self.store = store
        self.nanoseconds = nanoseconds
        self.hasFailed = hasFailed
    }
}

/// What observes the stores of this program, if anything does.
package enum StoreMonitoring {
    private static let current = Mutex<(any StoreMonitor)?>(nil)
    /// Outside of the lock, as each fetch and save asks.
    private static let isOn = Atomic(false)

    /// Stores that are open ask for it at each fetch and save, connections when they are made.
    package static var monitor: (any StoreMonitor)? {
        get { isOn.load(ordering: .acquiring) ? current.withLock { $0 } : nil }
        set {
            current.withLock { $0 = newValue }
            isOn.store(newValue != nil, ordering: .releasing)
        }
    }

    /// Runs work of a store.
    package static func measure<Result>(
        _ kind: StoreTask.Kind, in store: NSPersistentStore, of entity: @autoclosure () -> String? = nil,
        _ body: () throws -> Result
    ) rethrows -> Result {
        guard let monitor else { return try body() }
        return try monitor.measure(StoreTask(kind: kind, store: StoreLabels(store), entity: entity()), body)
    }
}

/// What the caller of an asynchronous block is part of.
package struct CallerScope: Sendable {
    private let enter: (@Sendable (() -> Void) -> Void)?

    /// That of the running thread or task.
    package static var current: CallerScope { CallerScope(enter: StoreMonitoring.monitor?.scope()) }

    /// Runs a block as a part of it.
    package func run(_ body: () -> Void) {
        if let enter { enter(body) } else { body() }
    }
}
