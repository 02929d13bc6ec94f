#if PostgreSQL
import CPostgreSQL
import Foundation
import OpenCoreData

// A single statement is a pipeline of one, so that preparing it costs no round trip of its own.
extension PostgreSQLConnection {
    /// What was sent, in the order in which it is answered.
    private enum Step {
        case deallocate(name: String)
        case prepare(statement: Int)
        case execute(statement: Int)
        /// The settings of a transaction that has begun.
        case settings
    }

    /// What has come back.
    private struct Answers {
        var results: [PostgreSQLResult] = []
        var failure: PostgreSQLError?
        /// An error of the block that takes rows.
        var blockError: (any Error)?
        /// What the server has prepared.
        var prepared: Set<PreparedStatements.Key> = []
        var hasCommitted = false
    }

    /// Rows that are taken and dropped after a block has failed, before the statement is cancelled.
    private static let rowsBeforeCancelling = 100
    /// Bytes that are put aside while the server doesn't take them.
    private static let mostUnsent = 16 << 20
    /// The number of rows after which a search is checked for cancellation.
    private static let rowsBetweenLooks = 256

    func run(
        _ statements: [PostgreSQLStatement], late: LateParameters? = nil,
        onRow: ((Int, PostgreSQLRow) throws -> Void)?
    ) throws -> [PostgreSQLResult] {
        let stateBefore = transactionState
        do {
            return try runOnce(statements, late, onRow)
        } catch let failure as PostgreSQLError where failure.kind == .stalePlan && !isBroken {
            if failure.sqlState == "26000" { prepared.removeAll() }
            // Inside of a transaction that began earlier, only who began it can begin it again.
            guard stateBefore == .none, !failure.afterCommit else { throw failure }
            return try runOnce(statements, late, onRow)
        }
    }

    private func runOnce(
        _ statements: [PostgreSQLStatement], _ late: LateParameters?,
        _ onRow: ((Int, PostgreSQLRow) throws -> Void)?
    ) throws -> [PostgreSQLResult] {
        let pointer = try usable()
        var statements = statements
        guard !statements.isEmpty else { return [] }
        for statement in statements { try statement.parameters.check() }
        let stateBefore = transactionState
        observer?(statements)
        roundTripCount += 1
        trace?.begin()
        cancellation.begin()
        if let read, read.isCancelled {
            cancellation.end()
            throw CocoaError(.userCancelled)
        }
        var answers = Answers()
        var isEnded = false
        defer { if !isEnded { cancellation.end() } }

        guard PQenterPipelineMode(pointer) != 0 else { throw lostOrMisused(pointer) }
        let mark = prepared.mark
        let steps = try send(
            &statements, late, &answers.blockError, dropsPlans: stateBefore != .failed, on: pointer)
        do {
            try flush(pointer)
        } catch let failure as PostgreSQLError {
            throw asPossiblyCommitted(failure, statements, answers)
        }
        // Who asked before the statement was there has to ask again.
        if let read, read.isCancelled { cancellation.interrupt() }
        isBusy = true
        late?.whileWaiting?()
        BusyWait.begin()
        for step in steps where !isBroken {
            let count = answers.results.count
            receive(step, statements, onRow, &answers, pointer)
            if let trace, case .execute(let index) = step {
                trace.didAnswer(
                    statements[index], answers.results.count > count ? answers.results.last : nil,
                    hasFailed: answers.failure?.statementIndex == index)
            }
        }
        isBusy = false
        endPipeline(pointer)
        BusyWait.end()
        isEnded = true
        let wasCancelled = cancellation.end()
        settlePrepared(steps, statements, answers, mark: mark)
        defer { trace?.writePlans(statements, self) }

        if isBroken {
            throw asPossiblyCommitted(answers.failure.map(asLost) ?? lostError(after: answers), statements, answers)
        }
        // What was committed stays; only what was asked afterwards has no answer.
        if wasCancelled, let failure = answers.failure, failure.afterCommit, failure.sqlState == "57014" {
            answers.failure = nil
        }
        guard answers.failure == nil, answers.blockError == nil else {
            if stateBefore == .none { rollback() }
            if let blockError = answers.blockError { throw blockError }
            throw answers.failure.map { wasCancelled ? asCancelled($0) : $0 } ?? lostError()
        }
        return answers.results
    }

    // MARK: Sending

    /// - Parameter failure: Why the values of a statement can't be put into the server's form; the statement and those after
    ///   it are not sent then.
    private func send(
        _ statements: inout [PostgreSQLStatement], _ late: LateParameters?, _ failure: inout (any Error)?,
        dropsPlans: Bool, on pointer: OpaquePointer
    ) throws -> [Step] {
        var unsent = 0
        var steps: [Step] = []
        steps.reserveCapacity(statements.count + 4)
        func require(_ sent: Int32) throws { if sent == 0 { throw abandonedPipeline(pointer) } }
        let namesStatements = options.pooling == .session
        for (index, given) in statements.enumerated() {
            var statement = given
            let make = late?.makers[index]
            if let make {
                do {
                    statement.parameters = try make()
                    try statement.parameters.check()
                } catch {
                    failure = error
                    break
                }
                unsent += statement.parameters.buffer.count
                // The log may show the values.
                if trace?.hasValues == true { statements[index] = statement }
            } else if late?.makers.isEmpty == false, statement.sql == PostgreSQLStatement.commit.sql {
                // Of a connection that is lost while large values are on their way it is then known that nothing was
                // committed.
                try flush(pointer)
            }
            var name: String?
            if namesStatements, statement.isPrepared {
                let key = PreparedStatements.Key(statement)
                name = prepared.name(of: key)
                if name == nil {
                    let new = prepared.add(key)
                    name = new
                    let types = statement.parameters.types
                    try require(PQsendPrepare(pointer, new, statement.sql, Int32(types.count), types))
                    steps.append(.prepare(statement: index))
                }
            }
            try require(send(statement, name: name, on: pointer))
            steps.append(.execute(statement: index))
            if let settings = settings(after: statement) {
                try require(PQsendQueryParams(pointer, settings, 0, nil, nil, nil, nil, 1))
                steps.append(.settings)
            }
            // Without it, the server sends the answers together, and the first statement seems to have taken all of the time.
            if statement.isAnsweredAtOnce || trace != nil { try require(PQsendFlushRequest(pointer)) }
            guard make != nil else { continue }
            // The server begins with what it has while the values of the next statement are put into its form. Where it
            // takes longer, not everything is put aside for it.
            if PQflush(pointer) == 0 {
                unsent = 0
            } else if unsent > Self.mostUnsent {
                try flush(pointer)
                unsent = 0
            }
        }
        // At the end, because a transaction's isolation can be chosen only at its beginning. A failed transaction
        // runs nothing but its end.
        for name in dropsPlans ? prepared.abandoned : [] {
            try require(PQsendQueryParams(pointer, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1))
            steps.append(.deallocate(name: name))
        }
        try require(PQpipelineSync(pointer))
        return steps
    }

    /// The settings that a transaction needs for itself because its session is shared with others.
    private func settings(after statement: PostgreSQLStatement) -> String? {
        guard options.pooling == .transaction,
            [PostgreSQLStatement.begin.sql, PostgreSQLStatement.beginRepeatableRead.sql].contains(statement.sql)
        else { return nil }
        let items = options.settings.filter { $0.name.hasSuffix("timeout") || $0.name == OtherWriters.ownSession }
        return "SELECT " + items.map { "set_config('\($0.name)', '\($0.value)', true)" }.joined(separator: ", ")
    }

    private func send(_ statement: PostgreSQLStatement, name: String?, on pointer: OpaquePointer) -> Int32 {
        let parameters = statement.parameters
        let count = parameters.count
        guard count > 0 else {
            guard let name else { return PQsendQueryParams(pointer, statement.sql, 0, nil, nil, nil, nil, 1) }
            return PQsendQueryPrepared(pointer, name, 0, nil, nil, nil, 1)
        }
        return parameters.buffer.bytes.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: count) { formats in
                    // An empty value that is not NULL needs a pointer as well.
                    let base = bytes.baseAddress ?? UnsafeRawPointer(formats.baseAddress)
                    for index in 0..<count {
                        formats.initializeElement(at: index, to: 1)
                        let value =
                            parameters.lengths[index] < 0
                            ? nil
                            : base.map { ($0 + parameters.offsets[index]).assumingMemoryBound(to: CChar.self) }
                        values.initializeElement(at: index, to: value)
                    }
                    guard let name else {
                        return PQsendQueryParams(
                            pointer, statement.sql, Int32(count), parameters.types, values.baseAddress,
                            parameters.lengths, formats.baseAddress, 1)
                    }
                    return PQsendQueryPrepared(
                        pointer, name, Int32(count), values.baseAddress, parameters.lengths, formats.baseAddress, 1)
                }
            }
        }
    }

    /// Sends what libpq has buffered, and reads answers at the same time, so that client and server never wait for
    /// each other.
    func flush(_ pointer: OpaquePointer) throws {
        while true {
            let left = PQflush(pointer)
            if left == 0 { return }
            var descriptor = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN | POLLOUT), revents: 0)
            if left < 0 || (poll(&descriptor, 1, -1) < 0 && errno != EINTR) {
                throw abandonedPipeline(pointer)
            }
            if descriptor.revents & Int16(POLLIN) != 0, PQconsumeInput(pointer) == 0 {
                throw abandonedPipeline(pointer)
            }
        }
    }

    // MARK: Receiving

    private func receive(
        _ step: Step, _ statements: [PostgreSQLStatement], _ onRow: ((Int, PostgreSQLRow) throws -> Void)?,
        _ answers: inout Answers, _ pointer: OpaquePointer
    ) {
        var droppedRows = 0
        if case .execute = step, onRow != nil { PQsetSingleRowMode(pointer) }
        busyWait.wait(for: pointer)
        while let result = PQgetResult(pointer) {
            let status = PQresultStatus(result)
            switch (step, status) {
            case (.execute(let index), PGRES_SINGLE_TUPLE):
                give(result, of: index, to: onRow, &answers)
                PQclear(result)
                if answers.blockError != nil {
                    droppedRows += 1
                    if droppedRows == Self.rowsBeforeCancelling { cancellation.interrupt() }
                }
            case (.execute(let index), PGRES_TUPLES_OK), (.execute(let index), PGRES_COMMAND_OK),
                (.execute(let index), PGRES_EMPTY_QUERY):
                give(result, of: index, to: onRow, &answers)
                let kept = PostgreSQLResult(result)
                if kept.isCommit { answers.hasCommitted = true }
                answers.results.append(kept)
            case (.prepare(let index), PGRES_COMMAND_OK):
                answers.prepared.insert(PreparedStatements.Key(statements[index]))
                PQclear(result)
            case (.deallocate(let name), PGRES_COMMAND_OK):
                prepared.didDeallocate(name)
                PQclear(result)
            case (.settings, PGRES_TUPLES_OK), (_, PGRES_PIPELINE_ABORTED):
                PQclear(result)
            default:
                record(result, of: step, statements, &answers)
                PQclear(result)
            }
            if isBroken { return }
        }
    }

    /// Passes the rows of a result to the block, unless it has failed before.
    private func give(
        _ result: OpaquePointer, of statement: Int, to onRow: ((Int, PostgreSQLRow) throws -> Void)?,
        _ answers: inout Answers
    ) {
        guard let onRow, answers.blockError == nil else { return }
        do {
            for row in 0..<PQntuples(result) {
                rowCount += 1
                if rowCount % Self.rowsBetweenLooks == 0, let read, read.tick() { throw CocoaError(.userCancelled) }
                try onRow(statement, PostgreSQLRow(result: result, index: row))
            }
        } catch {
            answers.blockError = error
        }
    }

    /// Notes the first error.
    private func record(
        _ result: OpaquePointer, of step: Step, _ statements: [PostgreSQLStatement], _ answers: inout Answers
    ) {
        guard answers.failure == nil else { return }
        var failure = error(result)
        failure.afterCommit = answers.hasCommitted
        switch step {
        case .deallocate(let name): prepared.didDeallocate(name)
        case .prepare(let index): failure.statementIndex = index
        case .settings: break
        case .execute(let index):
            failure.statementIndex = index
            failure.isOfDeletion = statements[index].isDeletion
            if failure.kind == .stalePlan { prepared.abandon(PreparedStatements.Key(statements[index])) }
        }
        answers.failure = failure
    }

    /// Reads the answer to the sync and everything before it.
    private func endPipeline(_ pointer: OpaquePointer) {
        guard !isBroken else { return }
        var emptyAnswers = 0
        while emptyAnswers < 2, !isBroken {
            guard let result = PQgetResult(pointer) else {
                emptyAnswers += 1
                continue
            }
            defer { PQclear(result) }
            emptyAnswers = 0
            if PQresultStatus(result) == PGRES_PIPELINE_SYNC { break }
        }
        if PQexitPipelineMode(pointer) == 0 { markBroken() }
    }

    /// Keeps in mind what the server has prepared, and forgets what it has not.
    private func settlePrepared(
        _ steps: [Step], _ statements: [PostgreSQLStatement], _ answers: Answers, mark: UInt64
    ) {
        for case .prepare(let index) in steps {
            let key = PreparedStatements.Key(statements[index])
            if !answers.prepared.contains(key) { prepared.forget(key) }
        }
        prepared.evict(notUsedAfter: mark)
    }

    // MARK: Errors

    /// A pipeline that was not sent whole can't be ended: the connection is given up.
    private func abandonedPipeline(_ pointer: OpaquePointer) -> PostgreSQLError {
        isBusy = false
        let failure = lostError()
        markBroken()
        return failure
    }

    func lostOrMisused(_ pointer: OpaquePointer) -> PostgreSQLError {
        guard !isBroken else { return lostError() }
        let failure = error(.misuse, address.withoutPassword(String(cString: PQerrorMessage(pointer))))
        markBroken()
        return failure
    }

    private func lostError(after answers: Answers) -> PostgreSQLError {
        var failure = lostError()
        failure.statementIndex = answers.results.count
        failure.afterCommit = answers.hasCommitted
        return failure
    }

    /// Records whether a COMMIT may have been executed: it may, unless the server has reported a failure before.
    private func asPossiblyCommitted(
        _ failure: PostgreSQLError, _ statements: [PostgreSQLStatement], _ answers: Answers
    ) -> PostgreSQLError {
        guard let commit = statements.lastIndex(where: { $0.sql == PostgreSQLStatement.commit.sql }) else {
            return failure
        }
        var failure = failure
        failure.mayBeCommitted = failure.sqlState == nil || failure.statementIndex ?? commit >= commit
        if let mark = statements.firstIndex(where: \.isAnsweredAtOnce), mark < answers.results.count {
            failure.transaction = TransactionMark(answers.results[mark].first, life: serverLife)
        }
        return failure
    }

    /// What the server, or libpq, said when the connection ended.
    func asLost(_ failure: PostgreSQLError) -> PostgreSQLError {
        var failure = failure
        if !failure.endsConnection { failure.kind = .connectionLost }
        return failure
    }

    private func asCancelled(_ failure: PostgreSQLError) -> PostgreSQLError {
        var failure = failure
        if failure.sqlState == "57014" { failure.kind = .cancelled }
        return failure
    }
}
#endif
