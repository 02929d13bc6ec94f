/// A statement kept at hand while the same text is wanted again and again.
///
/// Saves the look-up by text for each row; `release` gives the statement back to the connection's cache.
struct HeldStatement {
    private let connection: SQLiteConnection
    private var held: SQLiteStatement?

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// The statement of a string.
    mutating func use(_ sql: String) throws -> SQLiteStatement {
        if let held {
            if held.sql == sql { return held }
            connection.checkIn(held)
        }
        held = nil
        let statement = try connection.checkOut(sql)
        held = statement
        return statement
    }

    mutating func release() {
        if let held { connection.checkIn(held) }
        held = nil
    }
}
