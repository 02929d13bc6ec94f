import CSQLite

/// An SQL aggregate function whose every call appends a row to a slab.
///
/// `SELECT ocd_fill(Z_PK, Z_ENT, Z_OPT, …) FROM …` reads a whole result in one `step`: SQLite calls the function for
/// each row instead of going back to the caller. Registered once per connection, for one reader at a time.
final class RowFillFunction {
    static let name = "ocd_fill"
    /// SQLite's limit for arguments, unless it was built with another one.
    static let maximumArguments = 100

    /// The reader that receives the rows. Unretained, and without exclusivity checks at run time, because every row
    /// passes here: `fill` holds it, and nothing that it calls comes back to this object.
    @exclusivity(unchecked) private var reader: Unmanaged<RowReader>?

    /// Runs a fill statement.
    func fill(_ reader: RowReader, with statement: SQLiteStatement) throws {
        self.reader = Unmanaged.passUnretained(reader)
        defer { self.reader = nil }
        do {
            _ = try withExtendedLifetime(reader) { try statement.step() }
        } catch {
            throw reader.failure ?? error
        }
        if let failure = reader.failure { throw failure }
    }

    fileprivate func append(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>) {
        reader?._withUnsafeGuaranteedRef { reader in
            guard reader.failure == nil else { return }
            do {
                try reader.append { arguments[Int($0)] }
            } catch {
                reader.failure = error
                sqlite3_result_error(context, "ocd_fill", -1)
            }
        }
    }

    /// Makes the function known to a connection, which must not outlive it.
    func register(on connection: SQLiteConnection) throws {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let code = sqlite3_create_function_v2(
            connection.handle, Self.name, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, context, nil,
            { context, _, arguments in
                guard let context, let arguments, let box = sqlite3_user_data(context) else { return }
                Unmanaged<RowFillFunction>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.append(context, arguments) }
            },
            { context in sqlite3_result_null(context) }, nil)
        guard code == SQLITE_OK else { throw connection.error(code) }
    }
}
