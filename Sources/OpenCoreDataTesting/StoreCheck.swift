/// One thing that every store must do.
public struct StoreCheck: Sendable, CustomStringConvertible {
    /// A short description of what the store must do.
    public let name: String
    /// The features that a store needs for this check.
    public let needs: StoreContract.Features
    let body: @Sendable (StoreProbe) throws -> Void

    init(
        _ name: String, needs: StoreContract.Features = [], _ body: @escaping @Sendable (StoreProbe) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.body = body
    }

    /// The name of the check.
    public var description: String { name }

    /// All checks.
    public static let all: [StoreCheck] =
        ObjectChecks.all + ValueChecks.all + RelationshipChecks.all + FetchChecks.all + DictionaryChecks.all
        + IdentityChecks.all + ConflictChecks.all + MetadataChecks.all
}
