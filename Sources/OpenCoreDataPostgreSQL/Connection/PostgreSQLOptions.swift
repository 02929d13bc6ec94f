#if PostgreSQL
public import Foundation
import OpenCoreData

/// How connections to a PostgreSQL server behave. What the URL says, or the environment (`PGSSLMODE` and the like),
/// wins.
public struct PostgreSQLOptions: Sendable, Hashable {
    /// The kind of server that a connection needs, if there are several servers.
    public enum Session: String, Sendable, Hashable {
        /// One that takes changes: after a failover, the new primary.
        case readWrite = "read-write"
        /// Any one.
        case any = "any"
        /// A replica, if there is one.
        case preferStandby = "prefer-standby"
    }

    /// The kind of connection pool between the program and the server.
    public enum Pooling: Sendable, Hashable {
        /// A connection keeps its session: nothing, or a pool in session mode.
        case session
        /// pgbouncer in transaction mode, say: statements have no names, and settings are those of each
        /// transaction.
        case transaction
    }

    /// The name by which the server lists the connections.
    public var applicationName = "OpenCoreData"
    /// How long a server may take to answer when a connection is made, in seconds. Each of several hosts has this
    /// time.
    public var connectTimeout = 5
    /// How long data may stay without an answer of the other side's system before the connection counts as lost, in
    /// seconds.
    public var networkTimeout = 15
    /// How long a statement may run, in seconds; nil for any time.
    public var statementTimeout: Double?
    /// How long a statement waits for a lock, in seconds; nil for any time.
    public var lockTimeout: Double? = 30
    /// How long a statement may take, in seconds, before it is logged as a warning, with the server's plan and without
    /// values. Times of waiting for locks count. A store logs at most 30 in a minute, and asks for the plan of each
    /// text once a minute. If it is nil, the environment variable `OPENCOREDATA_SLOW_STATEMENT` says so, or none is
    /// logged.
    public var slowStatement: Double?
    /// How long the server keeps a transaction open in which nothing happens, in seconds; nil for any time.
    public var idleTransactionTimeout: Double? = 300
    /// The kind of server to connect to, if there are several.
    public var session = Session.readWrite
    /// Whether the connections keep their sessions.
    public var pooling = Pooling.session
    /// Where the server itself is, past a pool in transaction mode, for the one connection that listens to others'
    /// changes; without it a store behind such a pool looks for changes four times a second.
    public var directURL: URL?
    /// The URLs of the same database on servers that follow the primary. The kit's `read` blocks read from them,
    /// and so do contexts with the read preference `.replica` (`setReadPreference`).
    public var replicas: [URL] = []
    /// Whether an object gets a new version, and its version is compared, when nothing but a to-many relationship to
    /// objects that have it as their to-one changed, as Apple's framework does it. Without that, many writers can give
    /// one owner members at the same time. Where nothing is said, stores of the kit don't, and others do. A relationship
    /// may have its own answer: `optimisticLock` in its user info, `checked` or `excluded`.
    public var checksOwners: Bool?
    /// Whether the tables that a store makes have constraints: NOT NULL for required properties, CHECK for limits, and foreign
    /// keys. Tables that are there keep theirs.
    public var hasConstraints = true
    /// Whether what other programs write is given versions and recorded in the history, by triggers, which the store makes where it
    /// records its history. They stay when a program without this option opens the store.
    public var recordsOtherWriters = false
    /// How many prepared statements a connection keeps.
    public var preparedStatements = 256

    /// The options that hold where nothing is said.
    ///
    /// Set single properties afterwards:
    ///
    /// ```swift
    /// var options = PostgreSQLOptions()
    /// options.statementTimeout = 30
    /// ```
    public init() {}

    /// The settings of a session, as milliseconds by name.
    package var settings: [(name: String, value: String)] {
        [
            ("TimeZone", "UTC"), ("DateStyle", "ISO"), ("IntervalStyle", "postgres"),
            (OtherWriters.ownSession, "on"),
            ("statement_timeout", Self.milliseconds(statementTimeout)),
            ("lock_timeout", Self.milliseconds(lockTimeout)),
            ("idle_in_transaction_session_timeout", Self.milliseconds(idleTransactionTimeout)),
        ]
    }

    /// Where statements are logged that take too long; `nil` if none is.
    var slowStatementLog: SlowStatementLog? {
        (slowStatement ?? SlowStatementLog.launchedLimit).map { limit in
            SlowStatementLog(limit: limit) { DiagnosticLog.warn("OpenCoreData.PostgreSQL", $0) }
        }
    }

    /// A time as the server's settings have it: 0 for any.
    package static func milliseconds(_ seconds: Double?) -> String {
        guard let seconds, seconds > 0, seconds < 2_000_000 else { return "0" }
        return String(max(1, Int((seconds * 1000).rounded())))
    }
}
#endif
