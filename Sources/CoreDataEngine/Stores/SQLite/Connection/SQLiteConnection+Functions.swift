import CSQLite

/// A function that SQLite calls: context, number of arguments, arguments.
typealias SQLFunctionBody =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

extension SQLiteConnection {
    /// Registers everything the engine's SQL and Apple's triggers may call.
    func registerFunctions() throws {
        try registerTriggerFunctions()
        try registerStringFunctions()
        try registerCollations()
        try registerDecimalFunctions()
        try registerGroupFunctions()
        try registerNumberFunctions()
        try registerQueryFunctions()
    }

    /// Registers a function.
    ///
    /// It is marked harmless, so that triggers may call it although the schema is not trusted.
    ///
    /// - Parameters:
    ///   - count: Number of arguments, -1 for any.
    ///   - isDeterministic: Whether equal arguments give equal results, which lets SQLite hoist calls.
    ///   - context: What `sqlite3_user_data` gives the function.
    func register(
        _ name: String, _ count: Int32, isDeterministic: Bool = false, context: UnsafeMutableRawPointer? = nil,
        _ body: @escaping SQLFunctionBody
    ) throws {
        let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let code = sqlite3_create_function_v2(handle, name, count, flags, context, body, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }
}
