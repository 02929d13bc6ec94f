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

    package var kind: Kind
    /// The table that has it; nil for the file as a whole.
    package var table: String?
    /// The primary key of the row; nil for the table as a whole.
    package var row: Int64?
    /// What is wrong, as a sentence.
    package var message: String

    package init(_ kind: Kind, table: String? = nil, row: Int64? = nil, _ message: String) {
        self.kind = kind
        self.table = table
        self.row = row
        self.message = message
    }
}
