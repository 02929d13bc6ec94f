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

    /// For programs that name it. It isn't thrown here.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// A predicate has a part that can't be evaluated; ``reason`` names it.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// For programs that name it. It isn't thrown here.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// For programs that name it. It isn't thrown here.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(.sortingPendingChangesWithIdentifiers)
    /// For programs that name it. It isn't thrown here.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
    /// Two configurations of a container have the same name.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
    /// The name of a configuration has more than 240 bytes.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// The name of a configuration can't be a file's, as it has a slash.
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    /// A configuration has a model that the container's schema lacks.
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    /// A container's schema, or the location of a store, can't be used; ``reason`` says why.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// A model of the schema, or a value, isn't supported; ``reason`` names it.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
    /// A model, or an identifier, belongs to no context, or to another one.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// The store is newer than the last version of the migration plan.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// No version of the plan, or no class of the schema, is that of the store; ``reason`` names the difference.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// Transactions after a token were deleted.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// The history was asked for transactions of a type that the stores don't have.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)
    /// For programs that name it. It isn't thrown here.
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
