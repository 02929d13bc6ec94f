/// What goes wrong with models, apart from what the store says.
public struct SwiftDataError: Error, Hashable, LocalizedError, CustomStringConvertible {
    enum Kind: String, Hashable, Sendable {
        case includePendingChangesWithBatchSize, unsupportedPredicate, unsupportedKeyPath
        case sortingPendingChangesWithIdentifiers, unsupportedSortDescriptor, duplicateConfiguration
        case configurationFileNameTooLong, configurationFileNameContainsInvalidCharacters
        case configurationSchemaNotFoundInContainerSchema, loadIssueModelContainer, modelValidationFailure
        case missingModelContext, backwardMigration, unknownSchema, historyTokenExpired
        case invalidTransactionFetchRequest, unknownDataStoreSchema
        case escapingMutations
    }

    let kind: Kind
    /// What the error is about.
    public let reason: String?

    init(_ kind: Kind, _ reason: String? = nil) {
        self.kind = kind
        self.reason = reason
    }

    /// The error: include pending changes with batch size .
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// The error: unsupported predicate .
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// The error: unsupported key path .
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// The error: sorting pending changes with identifiers .
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    /// The error: unsupported sort descriptor .
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// The error: duplicate configuration .
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// The error: configuration file name too long .
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// The error: configuration file name contains invalid characters .
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    /// The error: configuration schema not found in container schema .
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    /// The error: load issue model container .
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// The error: model validation failure .
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// The error: missing model context .
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// The error: backward migration .
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// The error: unknown schema .
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// The error: history token expired .
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// The error: invalid transaction fetch request .
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
    /// The error: unknown data store schema .
    public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)

    static func unsupported(_ sentence: String) -> SwiftDataError { SwiftDataError(.modelValidationFailure, sentence) }

    /// Whether two errors are of one kind, whatever they are about.
    ///
    /// So an error with a reason equals the constant of its kind.
    ///
    /// - Parameters:
    ///   - lhs: An error.
    ///   - rhs: Another error.
    /// - Returns: Whether the kinds are the same.
    public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool { lhs.kind == rhs.kind }

    /// Hashes what is compared.
    ///
    /// The reason doesn't count.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// Whether an error is of a kind, for `catch SwiftDataError.unsupportedPredicate`.
    ///
    /// Errors of other types never match.
    ///
    /// - Parameters:
    ///   - pattern: The kind.
    ///   - error: The error.
    /// - Returns: Whether the error is of that kind.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError) == pattern
    }

    /// What it says, as text.
    public var description: String { reason.map { "\(kind.rawValue): \($0)" } ?? kind.rawValue }
    /// What the error says.
    public var errorDescription: String? { reason ?? kind.rawValue }
}
