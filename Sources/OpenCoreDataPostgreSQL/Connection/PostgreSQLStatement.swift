#if PostgreSQL
/// One statement with the values of its parameters.
package struct PostgreSQLStatement: Sendable {
    /// The text, with `$1`, `$2`, … for parameters.
    package var sql: String
    package var parameters: PostgreSQLParameters
    /// Whether the connection prepares it under a name, for the next time. Not for statements that are run once.
    package var isPrepared: Bool
    /// Whether the server sends the answer before it has run the other statements of the pipeline.
    var isAnsweredAtOnce = false

    package init(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters(), isPrepared: Bool = true
    ) {
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
    }

    /// A statement whose values are made when it is sent.
    ///
    /// - Parameter types: Those of the parameters.
    init(_ sql: String, lateTypes types: [UInt32]) {
        self.init(sql, PostgreSQLParameters(types: types))
    }

    /// Whether it deletes rows; nil where it neither writes nor deletes any, as at the end of a transaction.
    var isDeletion: Bool? {
        if sql.contains("DELETE FROM ") { return true }
        return sql.contains("INSERT INTO ") || sql.contains("UPDATE ") ? false : nil
    }

    package static let begin = PostgreSQLStatement("BEGIN")
    /// For statements that see what others have committed before each of them, whatever the role's default is.
    static let beginReadCommitted = PostgreSQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED", isPrepared: false)
    package static let beginRepeatableRead = PostgreSQLStatement(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isPrepared: false)
    package static let commit = PostgreSQLStatement("COMMIT")
    package static let rollback = PostgreSQLStatement("ROLLBACK", isPrepared: false)
}

/// The part of a pipeline that is prepared while the server runs its beginning.
struct LateParameters {
    /// Makes the values of a statement, by its index. Called again where the pipeline has to be sent again.
    var makers: [Int: () throws -> PostgreSQLParameters] = [:]
    /// Called when everything is sent.
    var whileWaiting: (() -> Void)?
}
#endif
