#if !canImport(ObjectiveC)
import CoreDataPlatform

extension NSManagedObjectContext {
    /// Runs a SQL statement inside of `read` or `write`, for what queries can't express.
    ///
    /// ```swift
    /// let rows = try context.sql("SELECT ZTITLE AS title FROM ZBOOK WHERE ZPAGES > ?", 300)
    /// ```
    ///
    /// Tables, columns and the dialect are the store's: parameters are `?` in SQLite and `$1`, `$2`, … in
    /// PostgreSQL. The statement sees what is saved, so call `save()` before it in a `write`. Its changes in a
    /// `write` are part of the transaction. They don't change row versions, so a draft doesn't notice them, and
    /// objects that the block has loaded keep their values. ``Database/changes`` reports them as a commit without
    /// objects; a `SELECT` counts as reading, also if a function that it calls changes rows. In a `read` a statement can't
    /// change anything.
    ///
    /// - Parameters:
    ///   - statement: A single statement. Statements that begin or end transactions are refused.
    ///   - values: The values of its parameters, which are bound: strings, numbers, Booleans, `Data` and `nil`.
    /// - Returns: The rows of the result. Numbers are `NSNumber`, which ``Row/value(_:as:)`` converts.
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` if the statement can't be run.
    @discardableResult
    public func sql(_ statement: String, _ values: Any?...) throws -> [Row] {
        do {
            let answer = try answer(statement, try values.map(Self.bound))
            return answer.rows.map { row in
                var named: [String: any Sendable] = [:]
                for (name, value) in zip(answer.names, row) { if let value { named[name] = value } }
                return Row(entity: "SQL", names: answer.names, values: named)
            }
        } catch let error as DatabaseError {
            throw error
        } catch {
            throw DatabaseError.invalidQuery(
                entity: "SQL", reason: "\(DatabaseError.sentence(error)) The statement is: \(statement)")
        }
    }

    private static func bound(_ value: Any?) throws -> SQLValue {
        switch OptionalValue.flatten(value) {
        case nil, is NSNull: .null
        case let flag as Bool: .integer(flag ? 1 : 0)
        case let number as any BinaryInteger:
            if let number = Int64(exactly: number) { .integer(number) } else { throw unfit(number) }
        case let number as Double: .real(number)
        case let number as Float: .real(Double(number))
        case let string as String: .text(string)
        case let data as Data: .blob(data)
        case let other?: throw unfit(other)
        }
    }

    private static func unfit(_ value: Any) -> DatabaseError {
        .invalidQuery(
            entity: "SQL",
            reason:
                "\(ValueDescription.string(of: value)) of type \(type(of: value)) can't be bound; give a string, "
                + "a number, a boolean or data.")
    }
}
#endif
