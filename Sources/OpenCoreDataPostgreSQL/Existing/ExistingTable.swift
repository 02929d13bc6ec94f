#if PostgreSQL
import OpenCoreData

/// A table that others have made, as a store reads and writes its rows: without columns of the store's own.
struct ExistingTable: Sendable {
    /// A column of a property.
    struct Column: Sendable {
        /// The type in SQL that a value is made one of when it is written; nil where the server does that by itself.
        var cast: String?
        /// Whether moments are without a time zone, and are taken to be in UTC.
        var isWithoutZone = false
        /// The server's value for a new row that has none.
        var defaultValue: String?
        /// The collation of a column with text, quoted and with its schema; nil where equal texts may differ in their bytes.
        var collation: String?
        /// How many characters a text has at most; nil where there is no limit.
        var maximumLength: Int?
        /// How many digits a number has at most; nil where there is no limit.
        var digits: NumericDigits?
        /// The only values of an enumeration; none where there are others.
        var labels: [String] = []
        /// How the bytes of the property are JSON; nil where they aren't.
        var json: JSONColumn?
        /// The key of a JSON object that the column stands for; nil where it is one of the table's own.
        var member: JSONMember?
        /// Whether each row has a value.
        var isMandatory = false
        /// Why no value of an object is written to it, as the end of a sentence; nil where values are.
        var readOnlyReason: String?
        /// Whether the server computes the value, so that an object can't have another.
        var isComputed = false

        /// A value of a parameter as the column takes it.
        func written(_ value: String, isInsert: Bool) -> String {
            var text = isWithoutZone ? "(\(value) AT TIME ZONE 'UTC')" : value
            if let json, let cast {
                text = json.written(text, type: cast)
            } else if let cast {
                text = "\(text)::\(cast)"
            }
            if isInsert, let defaultValue { text = "COALESCE(\(text), \(defaultValue))" }
            return text
        }
    }

    let name: String
    /// The primary key.
    let key: String
    /// A column that counts the changes of a row; nil where the server's own mark of a row's last change has to do.
    let version: String?
    let sequence: (name: String, increment: Int64)?
    let columns: [String: Column]
    /// Rows with the columns that other tables of stores have, as what stands behind FROM.
    let source: String
    /// The table's level among those that refer to each other: higher than that of all that it refers to.
    var rank = 0

    /// The mark of a row's last change as a version: the transaction that wrote it.
    static func version(_ alias: String) -> String {
        "(\(alias).xmin::text::int8 % \(RowSlab.lastVersion))::int4"
    }

    /// The version of a row, to be compared with one that was read.
    func comparedVersion(_ alias: String) -> String {
        version.map { "\(alias).\(SQLName.quoted($0))" } ?? Self.version(alias)
    }
}
#endif
