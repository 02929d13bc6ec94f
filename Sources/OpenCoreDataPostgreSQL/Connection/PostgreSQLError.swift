#if PostgreSQL
    public import Foundation
    import OpenCoreData

    /// What went wrong with a PostgreSQL database: what the server said, or why it could not be asked.
    ///
    /// Errors of Core Data's have it as their underlying error. No text of it has a password.
    public struct PostgreSQLError: Error, Sendable, Hashable {
        /// What kind of failure it is, as far as that decides what to do.
        public enum Kind: String, Sendable, Hashable {
            /// The server couldn't be reached, or refuses connections at the moment.
            case cannotConnect
            /// User, password or rights to the database were refused.
            case accessDenied
            /// The connection ended while it was used.
            case connectionLost
            /// The connection ended while a transaction was being committed, and whether it was cannot be found out.
            case commitUnknown
            /// The server stopped a statement because it took too long.
            case timeout
            /// The statement was cancelled by this program.
            case cancelled
            /// No connection of the pool became free in time.
            case poolTimeout
            /// The transaction can't be serialized with another one (40001).
            case serializationFailure
            /// Transactions waited for each other (40P01).
            case deadlock
            /// A lock was not free in time (55P03).
            case lockTimeout
            /// A value that has to be unique is there already (23505).
            case uniqueViolation
            /// A row that is referred to does not exist, or is still referred to (23503).
            case foreignKeyViolation
            /// Another constraint of a table.
            case constraintViolation
            /// A save found other rows than it expected, because another program has changed them.
            case unexpectedRowCount
            /// The server, or the transaction, takes no changes: it is a replica, for example.
            case readOnly
            /// A table, column, schema, function or database does not exist.
            case undefinedObject
            /// The user may not do that.
            case insufficientPrivilege
            /// Disk, memory or connections of the server are used up.
            case outOfResources
            /// A prepared statement no longer fits the tables, or is gone.
            case stalePlan
            /// A value that PostgreSQL can't store, or more than it takes.
            case invalidValue
            /// A value that the server sent can't be read as what it should be.
            case unreadableValue
            /// The address of the database can't be understood.
            case invalidAddress
            /// The connection was used in a way, or answered in one, that doesn't fit.
            case misuse
            /// Anything else that the server said.
            case other
        }

        /// What kind of failure it is.
        public var kind: Kind
        /// What happened, in the server's words if it said something.
        public var message: String
        /// The server's code of five characters; nil when the server said nothing.
        public var sqlState: String?
        /// More about it, in the server's words.
        public var detail: String?
        /// What the server suggests.
        public var hint: String?
        /// The constraint that would be broken.
        public var constraint: String?
        /// The schema that it is about.
        public var schema: String?
        /// The table that it is about.
        public var table: String?
        /// The column that it is about.
        public var column: String?
        /// What there is in place of a value that can be read.
        package var found: String?
        /// Which of the statements that were sent together failed, counted from 0.
        public var statementIndex: Int?
        /// The database, without a password.
        public var location: String?
        /// Whether a transaction of the statements that were sent together had been committed before.
        package var afterCommit = false
        /// Whether the connection was lost so late that a COMMIT may have been executed.
        package var mayBeCommitted = false
        /// The transaction that may have been committed, where the server has said which it was.
        var transaction: TransactionMark?

        package init(_ kind: Kind, _ message: String, sqlState: String? = nil, location: String? = nil) {
            self.kind = kind
            self.message = message
            self.sqlState = sqlState
            self.location = location
        }

        /// Whether the same transaction may succeed if it is run again at once. `false` for one that has waited for a
        /// lock until its limit.
        public var isRetryable: Bool {
            switch kind {
            case .serializationFailure, .deadlock, .stalePlan: true
            default: false
            }
        }

        /// Whether the cause is the present state of the server or the network, and not the request.
        public var isTransient: Bool {
            switch kind {
            case .cannotConnect, .connectionLost, .timeout, .poolTimeout, .serializationFailure, .deadlock,
                .lockTimeout,
                .outOfResources, .stalePlan:
                true
            default: false
            }
        }

        /// Whether the connection can't be used any more.
        package var endsConnection: Bool {
            switch kind {
            case .cannotConnect, .connectionLost, .commitUnknown: true
            default: false
            }
        }
    }

    extension PostgreSQLError {
        /// The kind that a code of the server's stands for.
        static func kind(ofState state: String) -> Kind {
            if let kind = kindsByState[state] { return kind }
            return kindsByClass[String(state.prefix(2))] ?? .other
        }

        private static let kindsByState: [String: Kind] = [
            "40001": .serializationFailure, "40P01": .deadlock, "55P03": .lockTimeout, "57014": .timeout,
            "23505": .uniqueViolation, "23503": .foreignKeyViolation, "25006": .readOnly, "26000": .stalePlan,
            "42501": .insufficientPrivilege, "OC001": .unexpectedRowCount, "57P01": .connectionLost,
            "57P02": .connectionLost, "57P03": .cannotConnect, "57P05": .connectionLost, "25P03": .connectionLost,
            "3D000": .undefinedObject, "3F000": .undefinedObject, "42P01": .undefinedObject, "42703": .undefinedObject,
            "42883": .undefinedObject, "42704": .undefinedObject, "22021": .invalidValue, "54000": .invalidValue,
        ]

        private static let kindsByClass: [String: Kind] = [
            "08": .connectionLost, "23": .constraintViolation, "28": .accessDenied, "53": .outOfResources,
            "22": .invalidValue, "54": .invalidValue,
        ]
    }

    extension PostgreSQLError: RetryableError {}

    extension PostgreSQLError: CustomStringConvertible, LocalizedError {
        /// The message with the server's code, and what it says besides.
        public var description: String {
            var string = message
            if let sqlState { string += " (\(sqlState))" }
            if let detail { string += " " + detail }
            if let hint { string += " " + hint }
            if let location { string += " [\(location)]" }
            return string
        }

        /// The message, for people.
        public var errorDescription: String? { description }
    }
#endif
