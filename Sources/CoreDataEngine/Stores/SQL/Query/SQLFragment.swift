/// A piece of SQL with the values it binds, in the order of its placeholders.
///
/// The text never holds a value: each one is a `?` in the text and an element of `bindings`. Fragments are put together
/// by interpolation, which takes other fragments and, marked as such, names from the schema:
///
///     let condition: SQLFragment = "\(name: column) = \(value: .integer(1))"
package struct SQLFragment: Sendable, Hashable {
    package private(set) var sql: String
    package private(set) var bindings: [SQLValue]
    /// How deep the parentheses in the text are nested: SQLite's parser has room for a fixed number of open ones.
    package private(set) var nesting = 0
    /// Parentheses that are open at the end of the text.
    private var open = 0
    /// Where truth values stand in the text, as offsets of their one byte.
    private var truths: [Int] = []

    /// How truth values stand in the text of a fragment.
    package static let truthWords = (true: "1", false: "0")

    /// A truth value as a condition, in the words of the dialect that the statement is made for.
    package static func truth(_ value: Bool) -> SQLFragment {
        var fragment = SQLFragment(value ? truthWords.true : truthWords.false)
        fragment.truths = [0]
        return fragment
    }

    /// The text in a dialect's words.
    package func sql(in dialect: any SQLDialect) -> String {
        let words = (true: dialect.truth(true), false: dialect.truth(false))
        guard !truths.isEmpty, words != Self.truthWords else { return sql }
        var (result, end) = ("", sql.utf8.startIndex)
        for offset in truths {
            let index = sql.utf8.index(sql.utf8.startIndex, offsetBy: offset)
            result += sql[end..<index]
            result += sql.utf8[index] == UInt8(ascii: "1") ? words.true : words.false
            end = sql.utf8.index(after: index)
        }
        return result + sql[end...]
    }

    /// A piece of text that the engine wrote itself, without placeholders.
    package init(_ sql: String = "") {
        self.sql = ""
        bindings = []
        append(sql: sql)
    }

    fileprivate mutating func append(sql other: String) {
        sql += other
        for byte in other.utf8 {
            if byte == UInt8(ascii: "(") {
                open += 1
                nesting = max(nesting, open)
            } else if byte == UInt8(ascii: ")") {
                open -= 1
            }
        }
    }

    fileprivate mutating func append(_ value: SQLValue) {
        sql += "?"
        bindings.append(value)
    }

    /// A bound value.
    package static func value(_ value: SQLValue) -> SQLFragment { "\(value: value)" }

    /// A list of bound values, `?, ?, ?`.
    package static func values(_ values: some Collection<SQLValue>) -> SQLFragment {
        var list = SQLFragment(Array(repeating: "?", count: values.count).joined(separator: ", "))
        list.bindings = Array(values)
        return list
    }

    package var isEmpty: Bool { sql.isEmpty }

    package mutating func append(_ other: SQLFragment) {
        if !other.truths.isEmpty {
            let length = sql.utf8.count
            truths += other.truths.map { $0 + length }
        }
        sql += other.sql
        bindings += other.bindings
        nesting = max(nesting, open + other.nesting)
        open += other.open
    }

    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var result = left
        result.append(right)
        return result
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) { left.append(right) }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    /// Takes fragments, bound values and names; nothing else can get into a statement.
    package struct StringInterpolation: StringInterpolationProtocol {
        package var fragment = SQLFragment()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { fragment.append(sql: literal) }

        package mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }

        /// A name of a table, column, alias or function, or a keyword.
        package mutating func appendInterpolation(name: String) { fragment.append(sql: name) }

        package mutating func appendInterpolation(value: SQLValue) { fragment.append(value) }
    }
}

extension Sequence where Element == SQLFragment {
    /// The fragments one after the other with a string between.
    package func joined(_ separator: SQLFragment) -> SQLFragment {
        var result = SQLFragment()
        for (position, fragment) in enumerated() {
            if position > 0 { result.append(separator) }
            result.append(fragment)
        }
        return result
    }
}
