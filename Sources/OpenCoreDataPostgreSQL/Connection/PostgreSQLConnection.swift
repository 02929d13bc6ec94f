#if PostgreSQL
import CPostgreSQL
import Foundation
import Logging
package import OpenCoreData

/// A connection to a PostgreSQL server, over libpq. All values go in and out in the server's binary form.
///
/// Used by one thread at a time. Errors are `PostgreSQLError`s; after one, the connection can be used again unless
/// `isBroken`.
package final class PostgreSQLConnection {
    /// What happens to a transaction at present.
    package enum TransactionState: Sendable {
        case none
        case open
        /// A statement failed; only a rollback is possible.
        case failed
        /// The connection is lost, or a statement runs.
        case unknown
    }

    package let address: PostgreSQLAddress
    package let options: PostgreSQLOptions
    /// Stops the statement that runs now; for other threads.
    package let cancellation: PostgreSQLCancellation
    /// The number of round trips of this connection.
    package internal(set) var roundTripCount = 0
    /// Called with the statements that are sent together, before they are.
    package var observer: (([PostgreSQLStatement]) -> Void)?
    /// Writes the statements to the log; `nil` if the log is off.
    var trace: PostgreSQLTrace?

    /// The search that the connection reads for, and how many rows it was given.
    var read: CancellableRead? {
        didSet {
            rowCount = 0
            read?.rowCount = { [unowned self] in rowCount }
        }
    }
    var rowCount = 0
    private(set) var pointer: OpaquePointer?
    var prepared: PreparedStatements
    /// Whether rows are being given to a block, during which no other statement can run.
    var isBusy = false
    var busyWait = BusyWait()
    /// The transaction that saves are parts of; `nil` where each save is one.
    var together: TogetherTransaction?
    /// Whether saves are parts of the transaction that is open.
    var savesTogether: Bool { together != nil }
    /// The log position after the last save of this connection, until it is recorded; `nil` if positions aren't
    /// recorded.
    var savedPosition: LogPosition?
    /// The server's life, once it is known.
    var serverLife: String?
    /// How far the server, a replica, has followed, as far as is known.
    var replayed = LogPosition(offset: 0)
    private var isKnownBroken = false
    /// Whether there is a pool between this program and the server, as far as is known.
    private var isPooled = false

    /// The most unsolicited messages to read before a connection is used.
    private static let mostLooks = 16

    static let log = Logger(label: "OpenCoreData.PostgreSQL")

    /// Connects.
    ///
    /// - Parameters:
    ///   - log: Where statements are logged.
    ///   - slow: Where statements are logged that take longer than the options allow, if not in a log of its own.
    /// - Throws: `PostgreSQLError` of the kind `cannotConnect` or `accessDenied`, naming the database.
    package init(
        _ address: PostgreSQLAddress, options: PostgreSQLOptions = PostgreSQLOptions(), log: SQLLog? = .launched,
        slow: SlowStatementLog? = nil
    ) throws {
        let options = address.settings.merged(options)
        self.address = address
        self.options = options
        prepared = PreparedStatements(capacity: options.preparedStatements)
        trace = PostgreSQLTrace(log, slow ?? options.slowStatementLog, address.labels)
        let connection: OpaquePointer
        do {
            connection = try Self.connect(address, options)
        } catch let error as PostgreSQLError
            where options.pooling == .session && error.message.contains("unsupported startup parameter")
        {
            // A pool that doesn't pass settings on; then they are set later.
            connection = try Self.connect(address, options, hasSettings: false)
            isPooled = true
        }
        pointer = connection
        cancellation = PostgreSQLCancellation(connection)
        PQsetNoticeReceiver(connection, Self.receiveNotice, nil)
        // Otherwise a write would wait for a server that doesn't read because its own answers aren't read.
        PQsetnonblocking(connection, 1)
        guard isPooled else { return }
        let settings = options.settings.map { "SET \($0.name) = \(SQLName.literal($0.value))" }
        try runScript(settings.joined(separator: "; "))
    }

    deinit { close() }

    /// Ends the connection. Later use throws.
    package func close() {
        guard let pointer else { return }
        cancellation.close()
        PQfinish(pointer)
        self.pointer = nil
    }

    /// Whether the connection can't be used any longer.
    package var isBroken: Bool { isKnownBroken || pointer.map { PQstatus($0) != CONNECTION_OK } ?? true }

    /// Whether the connection is open, as far as is known without a round trip.
    package var isAlive: Bool {
        guard !isBroken, let pointer else { return false }
        var descriptor = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
        // The server's last words come before the end of what it sends.
        for _ in 0..<Self.mostLooks {
            guard poll(&descriptor, 1, 0) > 0 else { return !isBroken }
            if PQconsumeInput(pointer) == 0 { return false }
        }
        return !isBroken
    }

    func markBroken() { isKnownBroken = true }

    package var transactionState: TransactionState {
        guard !isBroken, let pointer else { return .unknown }
        switch PQtransactionStatus(pointer) {
        case PQTRANS_IDLE: return .none
        case PQTRANS_INTRANS: return .open
        case PQTRANS_INERROR: return .failed
        default: return .unknown
        }
    }

    /// The process of the server that serves this connection.
    package var serverProcess: Int32 { pointer.map { PQbackendPID($0) } ?? 0 }

    /// The server's version, such as 150018 for 15.18.
    package var serverVersion: Int { pointer.map { Int(PQserverVersion($0)) } ?? 0 }

    /// The connection, if it is there and free.
    func usable() throws -> OpaquePointer {
        guard let pointer, !isBroken else { throw error(.connectionLost, "The connection is closed.") }
        guard !isBusy else {
            throw error(
                .misuse,
                "A statement can't run on a connection while the rows of another one are being read from it.")
        }
        return pointer
    }

    // MARK: Connecting

    private static func connect(
        _ address: PostgreSQLAddress, _ options: PostgreSQLOptions, hasSettings: Bool = true
    ) throws -> OpaquePointer {
        let parameters = address.connectionParameters(options, hasSettings: hasSettings)
        var keywords = parameters.keys.map { UnsafePointer(strdup($0)) }
        var values = parameters.values.map { UnsafePointer(strdup($0)) }
        defer {
            for word in keywords + values { free(UnsafeMutablePointer(mutating: word)) }
        }
        keywords.append(nil)
        values.append(nil)
        guard let connection = PQconnectdbParams(keywords, values, 0) else {
            throw PostgreSQLError(
                .outOfResources, "There isn't enough memory for a connection.", location: address.displayName)
        }
        guard PQstatus(connection) == CONNECTION_OK else {
            let failure = connectFailure(connection, address)
            PQfinish(connection)
            throw failure
        }
        return connection
    }

    /// What libpq says has no code; the words are the same in all languages but the server's own.
    private static func connectFailure(_ connection: OpaquePointer, _ address: PostgreSQLAddress) -> PostgreSQLError {
        // Libpq's lines become one.
        let reason = String(cString: PQerrorMessage(connection)).split { $0.isWhitespace }.joined(separator: " ")
        let isRefusal =
            PQconnectionUsedPassword(connection) != 0 && !endings.contains { reason.contains($0) }
            || ["pg_hba.conf", "authentication", "role \""].contains { reason.contains($0) }
        let kind: PostgreSQLError.Kind
        if reason.contains("FATAL"), fullness.contains(where: { reason.contains($0) }) {
            kind = .outOfResources
        } else if reason.contains("database \""), reason.contains("does not exist") {
            kind = .undefinedObject
        } else {
            kind =
                isRefusal && reason.contains("FATAL") || PQconnectionNeedsPassword(connection) != 0
                ? .accessDenied : .cannotConnect
        }
        return PostgreSQLError(
            kind, "There is no connection to the database: \(address.withoutPassword(reason))",
            location: address.displayName)
    }

    /// How a server says that it ends, begins, recovers or is full, which it also does once it has been given a password.
    private static let endings = [
        "terminating connection", "shutting down", "starting up", "recovery", "accepting connections",
    ]
    /// How it says that it has no connection left: for anybody, for the user, or for the database.
    private static let fullness = ["too many clients", "connection slots", "too many connections for"]

    // MARK: Errors and notices

    func error(_ kind: PostgreSQLError.Kind, _ message: String) -> PostgreSQLError {
        PostgreSQLError(kind, message, location: address.displayName)
    }

    /// The error for a connection that was lost, in libpq's words.
    func lostError() -> PostgreSQLError {
        let reason = pointer.map { String(cString: PQerrorMessage($0)) } ?? ""
        return error(
            .connectionLost,
            "The connection to the database was lost: "
                + address.withoutPassword(reason.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// The error that a result represents.
    func error(_ result: OpaquePointer) -> PostgreSQLError {
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        let state = field("C")
        var message = field("M") ?? String(cString: PQresultErrorMessage(result))
        message = address.withoutPassword(message.trimmingCharacters(in: .whitespacesAndNewlines))
        var kind = state.map(PostgreSQLError.kind(ofState:)) ?? .other
        if state == "0A000", field("R") == "RevalidateCachedQuery" { kind = .stalePlan }
        if state == nil, isBroken { kind = .connectionLost }
        var error = PostgreSQLError(kind, message, sqlState: state, location: address.displayName)
        error.detail = field("D")
        error.hint = field("H")
        if isPooled, ["26000", "42P05"].contains(state) {
            error.hint =
                "A pool in transaction mode needs pooling=transaction in the URL, or PostgreSQLOptions.pooling."
        }
        error.constraint = field("n")
        error.schema = field("s")
        error.table = field("t")
        error.column = field("c")
        return error
    }

    private static let receiveNotice: PQnoticeReceiver = { _, result in
        guard let result else { return }
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        let level: Logger.Level = field("V") == "WARNING" ? .warning : .debug
        log.log(level: level, "\(field("V") ?? "NOTICE"): \(field("M") ?? "") \(field("D") ?? "")")
    }
}

extension PostgreSQLAddress {
    /// A string without the password, should it stand in it.
    func withoutPassword(_ string: String) -> String {
        var secrets = [parameters["password"], parameters["sslpassword"]].compactMap { $0 }
        if let variable = ProcessInfo.processInfo.environment["PGPASSWORD"] { secrets.append(variable) }
        return secrets.filter { $0.count >= 3 }.reduce(string) { $0.replacingOccurrences(of: $1, with: "…") }
    }
}
#endif
