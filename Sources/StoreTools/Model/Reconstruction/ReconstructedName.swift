/// A name of a property as a column shows it, in lower case, with the number of the entity it belongs to.
package struct ReconstructedName {
    package let entity: Int64
    package let name: String

    /// `Z_5MESSAGES`, in a join table: rows of entity 5, for the relationship `messages`.
    package init?(joinColumn column: String) {
        self.init(column, after: "Z_")
    }

    /// `Z2NODES`, in the table of a destination: the owner, of entity 2, of a to-many relationship without inverse.
    package init?(hiddenColumn column: String) {
        self.init(column, after: "Z")
    }

    private init?(_ column: String, after prefix: String) {
        guard column.hasPrefix(prefix) else { return nil }
        let rest = column.dropFirst(prefix.count)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let name = rest.dropFirst(digits.count)
        guard let number = Int64(digits), let first = name.first, first.isLetter else { return nil }
        entity = number
        self.name = name.lowercased()
    }

    /// `ZTITLE`: the property `title`; nil for the columns that are the framework's own.
    package static func property(ofColumn column: String) -> String? {
        guard column.hasPrefix("Z"), let first = column.dropFirst().first, first.isLetter else { return nil }
        return column.dropFirst().lowercased()
    }
}
