import CSQLite

extension SQLiteConnection {
    /// Sets what belongs to the connection and leaves no trace in the file.
    func configure() throws {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, configuration.busyTimeout)
        if !configuration.isWritable || configuration.isQueryOnly {
            // A store is data from elsewhere: SQL in its schema may call only functions known to be harmless. Writers
            // cannot have this, since triggers of spatial indexes write a virtual table.
            _ = csqlite_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        }
        try registerFunctions()
        // Detects a damaged page when it is read. SQLite checks a page of the memory map each time that it is used,
        // which makes scattered reads more than twice as expensive, so memory maps rely on its other checks.
        if configuration.memoryMap == 0 { try setPragma("cell_size_check", "1") }
        try setPragma("cache_size", "-\(configuration.cacheSize)")
        try setPragma("mmap_size", "\(configuration.memoryMap)")
        // temp_store stays at its default: in memory, SQLite's sorter allocates each record by itself and takes twice as
        // long. Nothing goes to a file before the page cache is full.
        if configuration.isWritable {
            logLength = LogLength(handle, mostPages: configuration.mostLogPages)
            try setPragma("synchronous", "1")
            try setPragma("secure_delete", "2")
            if configuration.keepsLog { try keepLog() }
        }
        for pragma in configuration.pragmas where pragma.name.lowercased() != "journal_mode" {
            try setPragma(pragma.name, pragma.value)
        }
        if configuration.isQueryOnly { try setPragma("query_only", "1") }
    }

    /// Brings the file into the configured journal mode.
    ///
    /// Needs write access; call it once the file is known to be ours.
    ///
    /// - Returns: The mode in force, in lower case: `wal`, or what the file or its volume allows.
    @discardableResult
    package func activateJournalMode() throws -> String {
        let asked =
            configuration.pragmas.last { $0.name.lowercased() == "journal_mode" }?.value
            ?? configuration.journalMode
        if let asked {
            do {
                try setPragma("journal_mode", asked)
            } catch let error as SQLiteError where error.isBusy || error.code == SQLITE_READONLY {
                // Another process has the file open in its old mode, which works as well; or the file can't be written,
                // which is an error of the save and not of opening.
            }
        }
        return try journalMode()
    }

    /// The journal mode in force, in lower case.
    package func journalMode() throws -> String {
        guard case .text(let mode) = try firstValue("PRAGMA journal_mode") else { return "" }
        return mode.lowercased()
    }

    /// A number that changes when another connection commits to the file.
    package func dataVersion() throws -> Int64 {
        guard case .integer(let version) = try firstValue("PRAGMA data_version") else { return 0 }
        return version
    }

    /// Runs `PRAGMA name = value`.
    ///
    /// Both are checked to be plain words, because a pragma takes no bound values.
    ///
    /// - Throws: `SQLiteError` with `SQLITE_MISUSE` for a name or value that is not a plain word or number.
    package func setPragma(_ name: String, _ value: String) throws {
        func isWord(_ string: String, _ extra: String) -> Bool {
            let allowed = Set(extra.utf8)
            return !string.isEmpty
                && string.utf8.allSatisfy { byte in
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || allowed.contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                }
        }
        guard isWord(name, "_"), isWord(value, "_-+.") else {
            throw SQLiteError(
                extendedCode: SQLITE_MISUSE, message: "“\(name) = \(value)” is not a pragma", sql: nil, path: path)
        }
        // Not cached: a cached statement would be kept for a string that runs once.
        let statement = try prepare("PRAGMA \(name) = \(value)")
        while try statement.step() {}
    }

    /// Lets no trigger of the file run in this connection from now on.
    func turnTriggersOff() { _ = csqlite_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) }
}
