#if PostgreSQL
import OpenCoreData

/// An element of a composite attribute that is a key of the JSON object in a column of type `jsonb` or `json`.
struct JSONMember: Sendable {
    /// The key in the user info of an element that says which key of the object it is.
    static let keyName = "key"

    /// The column with the objects.
    let document: String
    let key: String
    let kind: SlotKind
    /// The type of the column, as the server writes it.
    let documentType: String
    /// Whether the column may be NULL.
    let isNullable: Bool
    /// The server's value for a new row without one.
    let defaultValue: String?

    private var isBinary: Bool { documentType != "json" }

    /// The name by which statements know the element. It's no column of the table.
    static func columnName(_ document: String, _ leaf: SlotLayout) -> String { "\(document)->>\(key(of: leaf))" }

    static func key(of leaf: SlotLayout) -> String {
        if let key = leaf.property.userInfo?[keyName] as? String, !key.isEmpty { return key }
        return leaf.name.split(separator: ".").last.map(String.init) ?? leaf.name
    }

    /// Whether JSON has values of a kind. Dates and data have no form in JSON that all programs agree on.
    static func canHold(_ kind: SlotKind) -> Bool {
        switch kind {
        case .string, .uri, .uuid, .boolean, .integer16, .integer32, .integer64, .double, .float, .decimal: true
        default: false
        }
    }

    // MARK: Reading

    /// The value of the key as a column of the element's type. A value of another kind is NULL.
    func read(_ alias: String) -> String { read(ofDocument: "\(alias).\(SQLName.quoted(document))") }

    private func read(ofDocument document: String) -> String {
        let document = readable(document)
        let value = "(\(document) -> \(SQLName.literal(key)))"
        let text = "(\(document) ->> \(SQLName.literal(key)))"
        let type = "\(isBinary ? "jsonb" : "json")_typeof\(value)"
        func number(_ converted: String) -> String {
            "CASE WHEN \(type) = 'number'\(isBinary ? "" : Self.isConvertible(text)) THEN \(converted) END"
        }
        switch kind {
        case .boolean: return "(CASE WHEN \(type) = 'boolean' THEN \(text)::bool END)"
        case .integer16: return "(\(number(whole(text, "int2", "-32768", "32767"))))"
        case .integer32: return "(\(number(whole(text, "int4", "-2147483648", "2147483647"))))"
        case .integer64: return "(\(number(whole(text, "int8", "-9223372036854775808", "9223372036854775807"))))"
        case .double, .float:
            // A number beyond the range of a double would end the statement with an error.
            let size = "abs(\(text)::numeric)"
            let isInRange = "\(size) = 0 OR \(size) BETWEEN 2.3e-308 AND 1.7976931348623157e308"
            return "(\(number("CASE WHEN \(isInRange) THEN \(text)::numeric::float8 END")))"
        case .decimal: return "(\(number(Self.decimal("\(text)::numeric"))))"
        case .uuid:
            return "(CASE WHEN \(text) ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN \(text)::uuid END)"
        default: return "(\(text) COLLATE \"C\")"
        }
    }

    /// A number that a decimal can be, with digits of 128 bits, or NULL. Others would end the reading of all rows with an
    /// error.
    private static func decimal(_ number: String) -> String {
        let digits = "('0' || btrim(translate(abs(trim_scale(\(number)))::text, '.', ''), '0'))::numeric"
        return "CASE WHEN abs(\(number)) < 1e127 AND scale(trim_scale(\(number))) <= 127 "
            + "AND \(digits) <= \(UInt128.max) THEN \(number) END"
    }

    /// A condition for the numbers of `json`, which keeps them as they were written: others can't be the server's numbers.
    private static func isConvertible(_ text: String) -> String {
        " AND length(\(text)) < 1000 AND \(text) !~ '[eE][+-]?0*[1-9][0-9]{3}'"
    }

    /// The document, or NULL if a string in it has the character U+0000 or half of a surrogate pair: `json` keeps such escape
    /// sequences, and the server then returns no key of the document.
    private func readable(_ document: String) -> String {
        guard !isBinary else { return document }
        let text = "\(document)::text"
        let sequence = #"'\\u(0000|[dD][89a-fA-F])'"#
        // Without escaped backslashes and whole pairs.
        let rest = #"regexp_replace(\#(text), '\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..', ' ', 'g')"#
        return "(CASE WHEN \(text) !~ \(sequence) OR \(rest) !~ \(sequence) THEN \(document) END)"
    }

    private func whole(_ text: String, _ type: String, _ least: String, _ most: String) -> String {
        let number = "\(text)::numeric"
        return "CASE WHEN \(number) = trunc(\(number)) AND \(number) BETWEEN \(least) AND \(most) "
            + "THEN \(number)::\(type) END"
    }

    // MARK: Writing

    /// A value as JSON. An infinite number ends the statement with an error, where `to_jsonb` would make it a string.
    private func json(_ value: String) -> String {
        switch kind {
        case .double, .float, .decimal: "NULLIF((\(value))::text, 'NaN')::jsonb"
        default: "to_jsonb(\(value))"
        }
    }

    /// The object of a row with new values of some keys. Its other keys stay, and so does a value that reads the same.
    ///
    /// - Parameters:
    ///   - members: Keys of one column, and their values in SQL.
    ///   - alias: The table that is changed; nil for a new row.
    static func written(_ members: [(member: JSONMember, value: String)], alias: String?) -> String {
        guard let first = members.first?.member else { return "NULL" }
        let old = alias.map { "\($0).\(SQLName.quoted(first.document))" }
        let pairs = members.map { member, value -> String in
            let key = SQLName.literal(member.key)
            let new = member.json(value)
            guard let old else { return "(\(key), \(new))" }
            let kept =
                "CASE WHEN \(member.read(ofDocument: old)) IS NOT DISTINCT FROM \(value) "
                + "THEN (\(old) -> \(key))::jsonb ELSE \(new) END"
            return "(\(key), \(kept))"
        }
        let set = "SELECT m.k, m.v FROM (VALUES \(pairs.joined(separator: ", "))) AS m(k, v) WHERE m.v IS NOT NULL"
        let keys = members.map { SQLName.literal($0.member.key) }.joined(separator: ", ")
        // What is no object ends the statement with an error instead of being replaced. A null has nothing to keep.
        let others =
            old.map {
                "SELECT o.key, o.value FROM jsonb_each(NULLIF(\($0)::jsonb, 'null'::jsonb)) AS o WHERE o.key NOT IN (\(keys)) "
                    + "UNION ALL "
            } ?? ""
        let object = "(SELECT jsonb_object_agg(a.k, a.v) FROM (\(others)\(set)) AS a(k, v))"
        let empty = first.isNullable ? "NULL" : "'{}'"
        let missing = alias == nil ? first.defaultValue ?? empty : empty
        return "COALESCE(\(object)::\(first.documentType), \(missing)::\(first.documentType))"
    }
}

extension ExistingTable {
    /// The assignments to the table's columns of values for the columns that statements know.
    ///
    /// - Parameters:
    ///   - values: Names of columns, and values in SQL.
    ///   - alias: The table that is changed; nil for new rows.
    func assignments(_ values: [(column: String, value: String)], alias: String?) -> [(column: String, value: String)] {
        var result: [(column: String, value: String)] = []
        var members: [(document: String, values: [(member: JSONMember, value: String)])] = []
        for (name, value) in values {
            guard let member = columns[name]?.member else {
                result.append((name, columns[name]?.written(value, isInsert: alias == nil) ?? value))
                continue
            }
            if let index = members.firstIndex(where: { $0.document == member.document }) {
                members[index].values.append((member, value))
            } else {
                members.append((member.document, [(member, value)]))
            }
        }
        return result + members.map { ($0.document, JSONMember.written($0.values, alias: alias)) }
    }
}
#endif
