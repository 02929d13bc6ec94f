#if PostgreSQL
public import Foundation
import OpenCoreData

/// What went wrong with a PostgreSQL database: what the server said, or why it could not be asked.
///
/// Errors of Core Data's have it as their underlying error. No text of it has a password.
public struct PostgreSQLError: Error, Sendable, Hashable {
    /// The kind of failure, for code that reacts to it.
    ///
    /// Later versions may add values.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the constant.
        public let rawValue: String

        /// A kind by the name of its constant.
        ///
        /// Any string is accepted. It equals a constant if it is the constant's name.
        ///
        /// - Parameter rawValue: The name of the constant.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the constant.
        public var description: String { rawValue }

        /// The server couldn't be reached, or refuses connections at the moment.
        public static let cannotConnect = Self(rawValue: "cannotConnect")
        /// User, password or rights to the database were refused.
        public static let accessDenied = Self(rawValue: "accessDenied")
        /// The connection ended while it was used.
        public static let connectionLost = Self(rawValue: "connectionLost")
        /// The connection ended while a transaction was being committed, and whether it was cannot be found out.
        public static let commitUnknown = Self(rawValue: "commitUnknown")
        /// The server stopped a statement because it took too long.
        public static let timeout = Self(rawValue: "timeout")
        /// The statement was cancelled by this program.
        public static let cancelled = Self(rawValue: "cancelled")
        /// No connection of the pool became free in time.
        public static let poolTimeout = Self(rawValue: "poolTimeout")
        /// The transaction can't be serialized with another one (40001).
        public static let serializationFailure = Self(rawValue: "serializationFailure")
        /// Transactions waited for each other (40P01).
        public static let deadlock = Self(rawValue: "deadlock")
        /// A lock was not free in time (55P03).
        public static let lockTimeout = Self(rawValue: "lockTimeout")
        /// A value that has to be unique is there already (23505).
        public static let uniqueViolation = Self(rawValue: "uniqueViolation")
        /// A row that is referred to does not exist, or is still referred to (23503, 23001).
        public static let foreignKeyViolation = Self(rawValue: "foreignKeyViolation")
        /// Another constraint of a table.
        public static let constraintViolation = Self(rawValue: "constraintViolation")
        /// A save found other rows than it expected, because another program has changed them.
        public static let unexpectedRowCount = Self(rawValue: "unexpectedRowCount")
        /// The server, or the transaction, takes no changes: it is a replica, for example.
        public static let readOnly = Self(rawValue: "readOnly")
        /// A table, column, schema, function or database does not exist.
        public static let undefinedObject = Self(rawValue: "undefinedObject")
        /// The user may not do that.
        public static let insufficientPrivilege = Self(rawValue: "insufficientPrivilege")
        /// Disk, memory or connections of the server are used up.
        public static let outOfResources = Self(rawValue: "outOfResources")
        /// A prepared statement no longer fits the tables, or is gone.
        public static let stalePlan = Self(rawValue: "stalePlan")
        /// A value that PostgreSQL can't store, or more than it takes.
        public static let invalidValue = Self(rawValue: "invalidValue")
        /// A value that the server sent can't be read as what it should be.
        public static let unreadableValue = Self(rawValue: "unreadableValue")
        /// The address of the database can't be understood.
        public static let invalidAddress = Self(rawValue: "invalidAddress")
        /// The connection was used in a way, or answered in one, that doesn't fit.
        public static let misuse = Self(rawValue: "misuse")
        /// Anything else that the server said.
        public static let other = Self(rawValue: "other")
    }

    /// The kind of failure.
    public var kind: Kind
    /// The message of the server, or a description of the failure if the server sent none.
    public var message: String
    /// The server's code of five characters; nil when the server said nothing.
    public var sqlState: String?
    /// More about it, in the server's words.
    public var detail: String?
    /// The hint of the server.
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
    /// The index of the failed statement among those that were sent together.
    public var statementIndex: Int?
    /// Whether the statement deleted rows; nil where it did something else than write or delete.
    package var isOfDeletion: Bool?
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

    /// Whether the connection can't be used any longer.
    package var endsConnection: Bool {
        switch kind {
        case .cannotConnect, .connectionLost, .commitUnknown: true
        default: false
        }
    }
}

extension PostgreSQLError {
    /// The kind that a code of the server's represents.
    static func kind(ofState state: String) -> Kind {
        if let kind = kindsByState[state] { return kind }
        return kindsByClass[String(state.prefix(2))] ?? .other
    }

    private static let kindsByState: [String: Kind] = [
        "40001": .serializationFailure, "40P01": .deadlock, "55P03": .lockTimeout, "57014": .timeout,
        "23505": .uniqueViolation, "23503": .foreignKeyViolation, "23001": .foreignKeyViolation, "25006": .readOnly,
        "26000": .stalePlan,
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
