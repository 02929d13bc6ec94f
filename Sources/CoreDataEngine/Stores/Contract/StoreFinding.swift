/// One thing that is wrong with a store.
package struct StoreFinding: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case damage
        case metadata
        case versionHash = "version hash"
        case entityNumber = "entity number"
        case primaryKey = "primary key"
        case version
        case danglingReference = "dangling reference"
        case inverse
        case order
        case history
        case externalData = "external data"
        case index
    }

    /// Whether the store is damaged, or as Core Data leaves it when an app is careless.
    package enum Level: String, Sendable, CaseIterable {
        /// Something can't be read, is lost, or stops what is saved.
        case damage
        /// All can be read and saved. Stores of Apple's own apps have such things: a required attribute without a value, a
        /// link that one of two objects has, a reference that nothing clears.
        case notice
    }

    package var kind: Kind
    package var level: Level
    /// The table that has it; nil for the file as a whole.
    package var table: String?
    /// The primary key of the row; nil for the table as a whole.
    package var row: Int64?
    /// What is wrong, as a sentence.
    package var message: String

    /// - Parameter level: Where it isn't that of the kind.
    package init(
        _ kind: Kind, level: Level? = nil, table: String? = nil, row: Int64? = nil, _ message: String
    ) {
        self.kind = kind
        self.level = level ?? kind.level
        self.table = table
        self.row = row
        self.message = message
    }
}

extension StoreFinding.Kind {
    /// The level of most findings of the kind.
    package var level: StoreFinding.Level {
        switch self {
        case .inverse, .order, .index: .notice
        case .damage, .metadata, .versionHash, .entityNumber, .primaryKey, .version, .danglingReference, .history,
            .externalData:
            .damage
        }
    }
}
