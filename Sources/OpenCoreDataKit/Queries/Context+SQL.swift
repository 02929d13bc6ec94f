#if !canImport(ObjectiveC)
    import CoreDataPlatform

    extension NSManagedObjectContext {
        /// Runs one statement of SQL inside of `read` or `write`, for what queries have no word for.
        ///
        /// ```swift
        /// let rows = try context.sql("SELECT ZTITLE AS title FROM ZBOOK WHERE ZPAGES > ?", 300)
        /// ```
        ///
        /// The names of tables and columns are the store's, and so is the dialect: parameters are `?` in SQLite and `$1`, `$2`, … in
        /// PostgreSQL. The statement sees what is saved: in a `write` call `save()` before. What it changes in a `write` is part of
        /// the transaction, and unknown to objects, to versions of rows and to ``Database/changes``; in a `read` it can't change
        /// anything.
        ///
        /// - Parameters:
        ///   - statement: One statement. Those that begin or end transactions are refused.
        ///   - values: The values of its parameters, which are bound: strings, numbers, booleans, `Data` and `nil`.
        /// - Returns: The rows that it gives. Numbers are `NSNumber`, which ``Row/value(_:as:)`` converts.
        /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` for what can't be run.
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
