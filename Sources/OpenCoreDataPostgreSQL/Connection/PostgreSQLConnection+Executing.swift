#if PostgreSQL
import CPostgreSQL

extension PostgreSQLConnection {
    /// Runs one statement and takes the whole answer.
    @discardableResult
    package func execute(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), isPrepared: Bool = true
    ) throws -> PostgreSQLResult {
        let results = try run([PostgreSQLStatement(sql, parameters, isPrepared: isPrepared)], onRow: nil)
        guard let result = results.first else { throw error(.misuse, "The server gave no answer to a statement.") }
        return result
    }

    /// Runs one statement and takes the whole answer.
    @discardableResult
    package func execute(
        _ sql: String, values: [PostgreSQLParameter], isPrepared: Bool = true
    ) throws -> PostgreSQLResult {
        try execute(sql, PostgreSQLParameters(values), isPrepared: isPrepared)
    }

    /// Runs one statement and passes its rows to `body` one by one, as they come from the server.
    ///
    /// - Parameter body: Receives each row. It can't run another statement on this connection. If it throws, the
    ///   statement is cancelled and the error is thrown.
    package func forEachRow(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), isPrepared: Bool = true,
        _ body: (PostgreSQLRow) throws -> Void
    ) throws {
        let statement = PostgreSQLStatement(sql, parameters, isPrepared: isPrepared)
        try withoutActuallyEscaping(body) { body in
            _ = try run([statement]) { _, row in try body(row) }
        }
    }

    /// Runs statements in one round trip.
    ///
    /// They are one transaction, unless they begin and end one themselves. Where one fails, those after it don't run; a
    /// transaction that they began is rolled back.
    ///
    /// - Returns: A result for each statement.
    /// - Throws: The error of the first that failed, with its `statementIndex`.
    @discardableResult
    package func pipeline(_ statements: [PostgreSQLStatement]) throws -> [PostgreSQLResult] {
        try run(statements, onRow: nil)
    }

    /// Runs statements in one round trip, and makes values for some of them only when those before are sent.
    func pipeline(_ statements: [PostgreSQLStatement], _ late: LateParameters) throws -> [PostgreSQLResult] {
        try run(statements, late: late, onRow: nil)
    }

    /// Runs statements in one round trip and passes the rows of all of them to `body` one by one.
    ///
    /// - Parameter body: Receives the number of the statement and each row.
    @discardableResult
    package func pipeline(
        _ statements: [PostgreSQLStatement], onRow body: (_ statement: Int, PostgreSQLRow) throws -> Void
    ) throws -> [PostgreSQLResult] {
        try withoutActuallyEscaping(body) { try run(statements, onRow: $0) }
    }

    /// Runs a text of several statements without parameters: definitions.
    package func runScript(_ sql: String) throws {
        let pointer = try usable()
        observer?([PostgreSQLStatement(sql, isPrepared: false)])
        roundTripCount += 1
        trace?.begin()
        cancellation.begin()
        defer {
            cancellation.end()
            trace?.didRun(PostgreSQLStatement(sql), nil)
        }
        guard PQsendQuery(pointer, sql) != 0 else { throw lostOrMisused(pointer) }
        try flush(pointer)
        var failure: PostgreSQLError?
        while let result = PQgetResult(pointer) {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                // A COPY could only be ended by a conversation that this connection doesn't have.
                markBroken()
                throw error(.misuse, "COPY can't be part of a script.")
            default: failure = failure ?? error(result)
            }
            if isBroken { break }
        }
        if isBroken { throw failure.map(asLost) ?? lostError() }
        if let failure { throw failure }
    }

    // MARK: Transactions

    /// Runs a block in a transaction: it is committed when the block returns, and rolled back when it throws.
    package func transaction<Result>(
        _ begin: PostgreSQLStatement = .begin, _ body: () throws -> Result
    ) throws -> Result {
        try pipeline([begin])
        do {
            let result = try body()
            // What was evaluated in a snapshot may have been changed outside of it, which ended the snapshot.
            if begin.sql == PostgreSQLStatement.beginRepeatableRead.sql, transactionState == .none { return result }
            let commit = try pipeline([.commit])
            if commit.first?.command == "ROLLBACK" {
                throw error(.misuse, "A transaction in which a statement had failed was rolled back.")
            }
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Ends a transaction without changes, if there is one. A connection on which that fails is broken.
    package func rollback() {
        switch transactionState {
        case .none: break
        case .open, .failed:
            // Also where the search that it is for was cancelled.
            let search = read
            read = nil
            defer { read = search }
            do {
                try pipeline([.rollback])
            } catch {
                markBroken()
            }
        case .unknown: markBroken()
        }
    }
}
#endif
