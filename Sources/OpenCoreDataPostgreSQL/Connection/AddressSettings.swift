#if PostgreSQL
/// What the URL of a database says of how its connections behave. It wins over the options of a store.
package struct AddressSettings: Sendable, Hashable {
    var pooling: PostgreSQLOptions.Pooling?
    /// How many connections a store has at most.
    var poolSize: Int?
    /// How long a thread waits for one of them, in seconds.
    var poolTimeout: Double?
    var lockTimeout: Double?
    var statementTimeout: Double?
    var slowStatement: Double?
    /// Whether the tables that a store makes have constraints.
    var hasConstraints: Bool?
    /// Whether what others write is recorded.
    var recordsOtherWriters: Bool?

    /// The items of a URL's query.
    static let names: Set<String> = [
        "pooling", "pool_size", "pool_timeout", "lock_timeout", "statement_timeout", "slow_statement",
        "constraints", "other_writers",
    ]

    /// - Parameters:
    ///   - items: The items of the query by name.
    ///   - invalid: Makes the error of a value that can't be.
    init(_ items: [String: String], invalid: (String) -> PostgreSQLError) throws {
        func seconds(_ name: String) throws -> Double? {
            guard let text = items[name] else { return nil }
            guard let number = Double(text), number > 0, number < 2_000_000 else {
                throw invalid("\(name) is a number of seconds, not “\(text)”")
            }
            return number
        }
        switch items["pooling"] {
        case nil: break
        case "session": pooling = .session
        case "transaction": pooling = .transaction
        case let text?: throw invalid("pooling is “session” or “transaction”, not “\(text)”")
        }
        if let text = items["pool_size"] {
            guard let number = Int(text), (1...10_000).contains(number) else {
                throw invalid("pool_size is a number of connections, not “\(text)”")
            }
            poolSize = number
        }
        switch items["constraints"] {
        case nil: break
        case "on": hasConstraints = true
        case "off": hasConstraints = false
        case let text?: throw invalid("constraints is “on” or “off”, not “\(text)”")
        }
        switch items["other_writers"] {
        case nil: break
        case "recorded": recordsOtherWriters = true
        case let text?: throw invalid("other_writers is “recorded”, not “\(text)”")
        }
        poolTimeout = try seconds("pool_timeout")
        lockTimeout = try seconds("lock_timeout")
        statementTimeout = try seconds("statement_timeout")
        slowStatement = try seconds("slow_statement")
    }

    /// Options with what the address says.
    func merged(_ given: PostgreSQLOptions) -> PostgreSQLOptions {
        var options = given
        if let pooling { options.pooling = pooling }
        if let lockTimeout { options.lockTimeout = lockTimeout }
        if let statementTimeout { options.statementTimeout = statementTimeout }
        if let slowStatement { options.slowStatement = slowStatement }
        if let recordsOtherWriters { options.recordsOtherWriters = recordsOtherWriters }
        if let hasConstraints { options.hasConstraints = hasConstraints }
        return options
    }
}
#endif
