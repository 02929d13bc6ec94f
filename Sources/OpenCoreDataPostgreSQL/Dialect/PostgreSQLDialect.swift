#if PostgreSQL
import Foundation
import OpenCoreData

/// SQL as PostgreSQL understands it.
///
/// What has no exact counterpart in SQL is refused with an error: the store then evaluates it on the rows. Placeholders carry
/// the type that their value is sent with, `?::int8`; see ``NumberedStatement``.
struct PostgreSQLDialect: SQLDialect {
    /// The schema of the store, whose tables and functions are always named in full; nil where tables are named queries.
    let schema: String?
    /// The schema with the store's functions; nil for the same.
    var functions: String?
    /// What stands behind FROM for tables that others have made, by name.
    var sources: [String: String] = [:]
    /// By name: the collations of columns with text in these tables, whose indexes find equal texts; none for a column that
    /// has others elsewhere.
    var collations: [String: String] = [:]

    /// The names of columns of these tables that always have a value, wherever they occur.
    var mandatory: Set<String> = []
    /// The indexes for searches and for the order of a language.
    var texts = TextIndexes()
    /// Whether searches by an index find all texts that the server can't fold, too.
    var findsUnfolded = false

    // MARK: Words

    func quoted(_ name: String) -> String { SQLName.quoted(name) }

    func table(_ name: String) -> String {
        if let source = sources[name] { return source }
        return (schema.map { SQLName.quoted($0) + "." } ?? "") + SQLName.quoted(name)
    }

    func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    var emptyGroup: SQLFragment { " GROUP BY ()" }

    var noOrder: SQLFragment { "(NULL::int8)" }

    func order(_ term: SQLFragment, ascending: Bool) -> SQLFragment {
        // Indexes of other programs usually have missing values last, which a required column doesn't have.
        if !mandatory.isEmpty, let name = Self.rootColumn(term), mandatory.contains(name) {
            return ascending ? term : "\(term) DESC"
        }
        return ascending ? "\(term) ASC NULLS FIRST" : "\(term) DESC NULLS LAST"
    }

    /// The first of equal rows counts, as where rows are compared one by one.
    func distinct(_ list: [SQLFragment], _ rows: SQLFragment, orders: [SQLFragment]) -> SQLFragment {
        guard !orders.isEmpty else { return "SELECT DISTINCT \(list.joined(", "))\(rows)" }
        let columns = list.enumerated().map { "\($0.element) AS \(name: "c\($0.offset)")" as SQLFragment }
        let names = list.indices.map { "\(name: "c\($0)")" as SQLFragment }.joined(", ")
        return """
            SELECT \(names) FROM (SELECT \(columns.joined(", ")), \
            row_number() OVER (ORDER BY \(orders.joined(", "))) AS place\(rows)) AS numbered \
            GROUP BY \(names) ORDER BY MIN(place)
            """
    }

    // MARK: Values

    func placeholder(_ value: SQLValue, type: SQLValueType) -> SQLFragment {
        let name =
            switch (value, type) {
            case (.null, _): "text"
            case (.integer, .date), (.real, .date): "timestamptz"
            case (.integer, _): "int8"
            case (.real, _): "float8"
            case (.text, .integer), (.text, .boolean), (.text, .double), (.text, .decimal): "numeric"
            case (.text, _): "text"
            case (.blob, .uuid): "uuid"
            case (.blob, _): "bytea"
            }
        return "\(value: value)::\(name: name)"
    }

    func constant(_ decimal: Decimal) -> SQLValue { decimal.isNaN ? .null : .text(decimal.description) }

    func cast(_ value: SQLFragment, to type: SQLValueType) -> SQLFragment {
        switch type {
        case .integer, .boolean: "trunc((\(value))::float8)::int8"
        case .text, .uri: "((\(value))::text COLLATE \"C\")"
        default: "(\(value))::float8"
        }
    }

    // What overflows is an error here, after which the store evaluates the expression on the rows.
    func arithmetic(
        _ sign: SQLFragment, _ left: SQLFragment, _ right: SQLFragment, isInteger: Bool
    ) -> SQLFragment {
        let type: SQLFragment = isInteger ? "int8" : "float8"
        let divisor: SQLFragment = sign.sql == "/" ? "NULLIF((\(right))::\(type), 0)" : "(\(right))::\(type)"
        let result: SQLFragment = "((\(left))::\(type) \(sign) \(divisor))"
        // What is no number is no value.
        return isInteger ? result : "NULLIF(\(result), 'NaN'::float8)"
    }

    var asksForExistence: Bool { true }

    func boolean(_ value: SQLValue) -> SQLTerm? {
        guard value == .integer(0) || value == .integer(1) else { return nil }
        var term = SQLTerm(constant: value, type: .boolean)
        term.sql = "\(value: value)::bool"
        return term
    }

    func number(ofBoolean value: SQLFragment) -> SQLFragment { "(\(value))::int4::int8" }

    func number(ofDate value: SQLFragment) -> SQLFragment {
        "(extract(epoch FROM \(value)) - 978307200)::float8"
    }

    func assigned(_ value: SQLTerm, to kind: SlotKind) -> SQLFragment? {
        switch kind {
        case .date where value.type != .date:
            "(timestamptz '2001-01-01 00:00:00+00' + (\(value.sql))::float8 * interval '1 second')"
        case .boolean where value.type == .boolean: value.sql
        case .boolean: "((\(value.sql))::float8 <> 0)"
        case .integer16, .integer32, .integer64, .double, .float, .decimal:
            value.type == .boolean
                ? number(ofBoolean: value.sql) : value.type == .date ? number(ofDate: value.sql) : nil
        default: nil
        }
    }

    func composite(_ columns: SQLFragment, isOptional: Bool) -> SQLFragment {
        "NULLIF(num_nonnulls(\(columns)), 0)"
    }

    func withoutIndex(_ value: SQLFragment) -> SQLFragment { "(\(value))" }

    // MARK: Comparing

    func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        "\(left) IS NOT DISTINCT FROM \(right)"
    }

    func comparison(_ left: SQLTerm, _ sign: SQLFragment, _ right: SQLTerm) -> SQLFragment? {
        if left.constant == nil, let constant = right.constant {
            return comparison(of: left, sign.sql, with: constant, type: right.type)
        }
        if right.constant == nil, let constant = left.constant {
            let reversed = ["<": ">", "<=": ">=", ">": "<", ">=": "<="][sign.sql] ?? sign.sql
            return comparison(of: right, reversed, with: constant, type: left.type)
        }
        return nil
    }

    /// Constants between two values that the column can have become one of these, so that no digit is lost and an index can
    /// be used.
    private func comparison(
        of term: SQLTerm, _ sign: String, with constant: SQLValue, type: SQLValueType
    ) -> SQLFragment? {
        if sign == "=", term.type == .text, case .text = constant, let text = indexed(term.sql) {
            return "\(text) = \(placeholder(constant, type: type))"
        }
        if sign == "=", case .text(let text) = constant, let search = equality(of: term.sql, text) { return search }
        guard case .real(let number) = constant, !number.isNaN else { return nil }
        switch (term.type, type) {
        case (.date, .date):
            let step = (number * 1e6).rounded(.down)
            guard number.isFinite, abs(number) < 9e9, Double(step) / 1e6 != number else { return nil }
            let isExact = (number * 1e6).rounded() / 1e6 == number
            guard !isExact else { return nil }
            return between(term.sql, sign, step / 1e6, (step + 1) / 1e6) { placeholder(.real($0), type: .date) }
        case (.integer, .double):
            if let whole = Int64(exactly: number) {
                return "\(term.sql) \(name: sign) \(placeholder(.integer(whole), type: .integer))"
            }
            guard abs(number) < 9e18 else {
                let isTrue = number > 0 ? sign.hasPrefix("<") : sign.hasPrefix(">")
                return isTrue ? "\(term.sql) IS NOT NULL" : .truth(false)
            }
            return between(term.sql, sign, number.rounded(.down), number.rounded(.up)) {
                placeholder(.integer(Int64($0)), type: .integer)
            }
        default: return nil
        }
    }

    /// The name of a column of the rows that are looked for; nil for anything else. Those of joined rows may be missing.
    private static func rootColumn(_ term: SQLFragment) -> String? {
        guard term.sql.hasPrefix("t0.\""), term.sql.last == "\"" else { return nil }
        return String(term.sql.dropFirst(4).dropLast())
    }

    /// A column of a table that others have made, as its indexes have it; nil for anything else. Texts that are equal by its
    /// collation are equal in all bytes.
    func indexed(_ text: SQLFragment) -> SQLFragment? {
        guard !collations.isEmpty, let point = text.sql.firstIndex(of: "."), text.sql.last == "\"" else {
            return nil
        }
        let name = text.sql[text.sql.index(after: point)...]
        guard name.first == "\"", let collation = collations[String(name.dropFirst().dropLast())] else {
            return nil
        }
        return "(\(text) COLLATE \(name: collation))"
    }

    private func between(
        _ term: SQLFragment, _ sign: String, _ lower: Double, _ upper: Double, _ value: (Double) -> SQLFragment
    ) -> SQLFragment {
        switch sign {
        case "<", "<=": "\(term) <= \(value(lower))"
        case ">", ">=": "\(term) >= \(value(upper))"
        default: .truth(false)
        }
    }

    // MARK: Windows and lists

    func window(limit: Int, offset: Int) -> SQLFragment {
        var window: SQLFragment = ""
        if limit > 0 { window += " LIMIT \(value: .integer(Int64(limit)))::int8" }
        if offset > 0 { window += " OFFSET \(value: .integer(Int64(offset)))::int8" }
        return window
    }

    func list(_ values: [SQLValue], type: SQLValueType) -> SQLFragment {
        "(\(values.map { placeholder($0, type: type) }.joined(", ")))"
    }

    func membership(_ value: SQLFragment, in list: [SQLValue], type: SQLValueType) -> SQLFragment {
        if type == .boolean { return membership(number(ofBoolean: value), in: list, type: .integer) }
        if list.count == 1, let only = list.first {
            let term = SQLTerm(sql: value, type: type)
            let constant = SQLTerm(constant: only, type: type == .integer ? .double : type)
            return comparison(term, "=", constant) ?? "\(value) = \(placeholder(only, type: type))"
        }
        if type == .text, let text = indexed(value) { return membership(ofText: text, in: list) }
        return membership(ofText: value, in: list, type)
    }

    private func membership(
        ofText value: SQLFragment, in list: [SQLValue], _ type: SQLValueType = .text
    ) -> SQLFragment {
        // One array for each type that the values are sent as.
        var arrays = ValueArrays(type)
        for element in list { arrays.append(element) }
        let tests = arrays.fragments.map { "\(value) = ANY(\($0))" as SQLFragment }
        if tests.isEmpty { return .truth(false) }
        return tests.count == 1 ? tests[0] : "(\(tests.joined(" OR ")))"
    }

    // MARK: Strings

    func textLength(_ text: SQLFragment) throws -> SQLFragment {
        // A schema of others has none of the store's functions.
        guard sources.isEmpty else { throw refusal("The length of a text") }
        return "\(function("ocd_length"))(\(text))"
    }

    func textForm(_ term: SQLTerm) throws -> SQLFragment {
        switch term.type {
        case .integer: "((\(term.sql))::text COLLATE \"C\")"
        case .boolean: "((\(term.sql))::int4::text COLLATE \"C\")"
        case .uuid: "(upper((\(term.sql))::text) COLLATE \"C\")"
        default: throw refusal("A number's text")
        }
    }

    func uuid(ofText text: SQLTerm) throws -> SQLTerm {
        guard case .text(let spelling)? = text.constant else { throw refusal("The UUID that a text spells") }
        guard let uuid = UUID(uuidString: spelling) else {
            var term = SQLTerm(sql: "NULL::uuid", type: .uuid)
            term.losesValues = true
            return term
        }
        let value = SQLValue.blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        var term = SQLTerm(constant: value, type: .uuid)
        term.sql = placeholder(value, type: .uuid)
        return term
    }

    func textTest(
        _ type: NSComparisonPredicate.Operator, _ text: SQLFragment, _ pattern: SQLTerm,
        options: NSComparisonPredicate.Options
    ) throws -> SQLFragment {
        guard !options.contains(.localeSensitive), case .text(let constant)? = pattern.constant,
            !constant.utf8.contains(0)
        else { throw refusal("A text operator with such options or operands") }
        let subject = try foldedText(text, options: options)
        let part = StringFolding.folded(constant, options)
        if let search = try search(type, text, constant, part, options) { return search }
        let value = SQLFragment.value(.text(part))
        switch type {
        case .contains where part.isEmpty, .beginsWith where part.isEmpty, .endsWith where part.isEmpty:
            return "(\(subject) IS NOT NULL AND FALSE)"
        case .contains: return "strpos(\(subject), \(value)::text) > 0"
        case .beginsWith: return "starts_with(\(subject), \(value)::text)"
        case .endsWith:
            return "right(\(subject), \(value: .integer(Int64(part.unicodeScalars.count)))::int4) = \(value)::text"
        case .like: return "\(subject) LIKE \(value: .text(PostgreSQLPattern.like(part)))::text ESCAPE '!'"
        case .equalTo: return "\(subject) = \(value)::text"
        default: throw refusal("A regular expression")
        }
    }

    func foldedText(_ text: SQLFragment, options: NSComparisonPredicate.Options) throws -> SQLFragment {
        guard StringFolding.isNeeded(options) else { return text }
        guard sources.isEmpty else { throw refusal("A comparison of folded strings") }
        guard !options.contains(.localeSensitive) else { throw refusal("A comparison by the rules of a locale") }
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (true, true): return "\(function("ocd_fold_cd"))(\(text))"
        case (true, false): return "\(function("ocd_fold_c"))(\(text))"
        default: return "\(function("ocd_fold_d"))(\(text))"
        }
    }

    func localizedOrder(_ left: SQLFragment, _ right: SQLFragment) throws -> SQLFragment {
        throw refusal("A comparison by the rules of a locale")
    }

    func collated(_ text: SQLFragment, selector: String) -> SQLFragment? {
        guard selector == StringOrdering.localizedStandard.rawValue, let collation = texts.collation(of: text) else {
            return nil
        }
        return "(\(text) COLLATE \(name: collation))"
    }

    // MARK: Functions and groups

    func function(_ name: String, _ arguments: [SQLFragment]) throws -> SQLFragment {
        throw refusal("The function \"\(name)\"")
    }

    func function(_ name: String) -> SQLFragment {
        let prefix = (functions ?? schema).map { SQLName.quoted($0) + "." } ?? ""
        return "\(name: prefix + SQLName.quoted(name))"
    }

    func leadingNumber(_ text: SQLFragment) -> SQLFragment {
        let number: SQLFragment =
            "substring(\(text) FROM '^[[:space:]]*([+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?)')"
        return "CASE WHEN \(text) IS NOT NULL THEN COALESCE(\(number), '0')::float8 END"
    }

    func aggregate(_ function: SQLTranslator.Aggregate, _ value: SQLTerm) throws -> SQLFragment {
        let isWhole = value.type == .integer || value.type == .boolean
        switch (function, value.type) {
        case (.sum, _): return isWhole ? "SUM(\(value.sql))::int8" : "SUM((\(value.sql))::float8)"
        case (.average, _): return "AVG(\(value.sql))::float8"
        case (.minimum, .boolean): return "bool_and(\(value.sql))"
        case (.maximum, .boolean): return "bool_or(\(value.sql))"
        case (.minimum, .uuid): return "(MIN((\(value.sql))::text COLLATE \"C\"))::uuid"
        case (.maximum, .uuid): return "(MAX((\(value.sql))::text COLLATE \"C\"))::uuid"
        case (.minimum, .data), (.maximum, .data), (.minimum, .opaque), (.maximum, .opaque):
            throw refusal("The least or greatest of such values")
        case (.minimum, _): return "MIN(\(value.sql))"
        case (.maximum, _): return "MAX(\(value.sql))"
        case (.count, _): return "COUNT(\(value.sql))"
        case (.median, _), (.deviation, _): throw refusal("This function of groups")
        }
    }

    func decimalAggregate(_ function: SQLTranslator.Aggregate, _ value: SQLFragment) throws -> SQLFragment {
        guard function == .sum else { throw refusal("The average of decimals") }
        return "SUM(\(value))"
    }

    func median(_ value: SQLFragment, isNumber: Bool) throws -> SQLFragment {
        isNumber
            ? "percentile_cont(0.5) WITHIN GROUP (ORDER BY (\(value))::float8)"
            : "percentile_disc(0.5) WITHIN GROUP (ORDER BY \(value))"
    }

    func standardDeviation(_ value: SQLFragment) throws -> SQLFragment { throw refusal("The standard deviation") }

    private func refusal(_ what: String) -> CocoaError {
        CoreDataError.make(NSCoreDataError, "\(what) is evaluated on the rows of a PostgreSQL store, not in SQL.")
    }
}

/// Values of a list, as arrays by the type that they are sent as.
private struct ValueArrays {
    private let type: SQLValueType
    private var arrays: [(type: PostgreSQLType, builder: PostgreSQLArrayBuilder)] = []

    init(_ type: SQLValueType) { self.type = type }

    mutating func append(_ value: SQLValue) {
        switch (value, type) {
        case (.null, _): break
        case (.integer(let number), .date): append(date: Double(number))
        case (.real(let number), .date): append(date: number)
        case (.integer(let number), _): with(.int8) { $0.append(int8: number) }
        case (.real(let number), .integer):
            if let whole = Int64(exactly: number) { with(.int8) { $0.append(int8: whole) } }
        case (.real(let number), _): with(.float8) { $0.append(float8: number) }
        case (.text(let string), .integer), (.text(let string), .boolean), (.text(let string), .double),
            (.text(let string), .decimal):
            if let decimal = Decimal(string: string) { with(.numeric) { $0.append(numeric: decimal) } }
        case (.text(let string), _):
            // No row has a string with U+0000.
            if !string.utf8.contains(0) { with(.text) { try? $0.append(text: string) } }
        case (.blob(let data), .uuid):
            guard data.count == 16 else { break }
            with(.uuid) { builder in
                data.withUnsafeBytes { builder.append(uuid: UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
            }
        case (.blob(let data), _): with(.bytea) { $0.append(bytea: data) }
        }
    }

    /// A date between two values of the column, or out of its range, equals no value.
    private mutating func append(date number: Double) {
        let date = Date(timeIntervalSinceReferenceDate: number)
        guard let microseconds = try? PostgreSQLDate.microseconds(of: date),
            PostgreSQLDate.secondsSinceReferenceDate(microseconds) == number
        else { return }
        with(.timestamptz) { try? $0.append(timestamptz: date) }
    }

    private mutating func with(_ type: PostgreSQLType, _ body: (inout PostgreSQLArrayBuilder) -> Void) {
        if let index = arrays.firstIndex(where: { $0.type == type }) { return body(&arrays[index].builder) }
        var builder = PostgreSQLArrayBuilder(type)
        body(&builder)
        arrays.append((type, builder))
    }

    /// The arrays as placeholders, each with its bytes.
    var fragments: [SQLFragment] {
        arrays.map { type, builder in
            "\(value: .blob(builder.data))::\(name: NumberedStatement.name(of: type))[]"
        }
    }
}

extension PostgreSQLArrayBuilder {
    /// The array in the server's binary form.
    var data: Data {
        var buffer = WireBuffer()
        write(to: &buffer)
        return Data(buffer.bytes)
    }
}
#endif
