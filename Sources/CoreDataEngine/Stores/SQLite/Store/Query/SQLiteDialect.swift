import Foundation

/// SQL as SQLite understands it.
struct SQLiteDialect: SQLDialect {
    /// Lists up to this length are placeholders, longer ones one value.
    private static let longestPlaceholderList = 512

    // MARK: Words

    func quoted(_ name: String) -> String { SQLName.quotedIfNeeded(name) }

    func truth(_ value: Bool) -> String { value ? SQLFragment.truthWords.true : SQLFragment.truthWords.false }

    var emptyGroup: SQLFragment { " GROUP BY NULL" }

    // SQLite itself has it so that NULL is less than everything.
    func order(_ term: SQLFragment, ascending: Bool) -> SQLFragment { ascending ? term : "\(term) DESC" }

    func distinct(_ list: [SQLFragment], _ rows: SQLFragment, orders: [SQLFragment]) -> SQLFragment {
        "SELECT DISTINCT \(list.joined(", "))\(rows)\(orders.isEmpty ? "" : " ORDER BY \(orders.joined(", "))" as SQLFragment)"
    }

    // MARK: Values

    func placeholder(_ value: SQLValue, type: SQLValueType) -> SQLFragment { .value(value) }

    func cast(_ value: SQLFragment, to type: SQLValueType) -> SQLFragment {
        switch type {
        case .integer, .boolean: "CAST(\(value) AS INTEGER)"
        case .text, .uri: "CAST(\(value) AS TEXT)"
        default: "CAST(\(value) AS REAL)"
        }
    }

    // Division by zero gives NULL here, and whole numbers that get too large become doubles.
    func arithmetic(
        _ sign: SQLFragment, _ left: SQLFragment, _ right: SQLFragment, isInteger: Bool
    ) -> SQLFragment { "(\(isInteger ? left : cast(left, to: .double)) \(sign) \(right))" }

    func assigned(_ value: SQLTerm, to kind: SlotKind) -> SQLFragment? {
        value.type.isNumber || value.type == .date ? checked(value) : nil
    }

    func fitting(_ value: SQLFragment, _ slot: SlotLayout) -> SQLFragment {
        switch slot.kind {
        case .integer16, .integer32, .integer64:
            let bits = SQLValue.integer(64 - Int64(slot.kind.unusedBits))
            return "\(name: NumberFunction.fitting)(\(value), \(value: bits), \(value: .text(slot.name)))"
        default: return value
        }
    }

    func number(ofBoolean value: SQLFragment) -> SQLFragment { value }

    func composite(_ columns: SQLFragment, isOptional: Bool) -> SQLFragment {
        "\(name: isOptional ? "ocd_composite" : "ocd_composite_value")(\(columns))"
    }

    func withoutIndex(_ value: SQLFragment) -> SQLFragment { "(+\(value))" }

    // The number is read as rows are read, whatever SQLite made of it.
    func isSound(_ alias: String, _ columns: SystemColumns, entities numbers: [Int64]?) -> SQLFragment {
        let hasKey: SQLFragment = "+\(name: alias).\(name: columns.key) >= 0"
        guard let numbers else { return hasKey }
        let list = numbers.map(String.init).joined(separator: ", ")
        return "CAST(\(name: alias).\(name: columns.entity) AS INTEGER) IN (\(name: list)) AND \(hasKey)"
    }

    // MARK: Windows

    func window(limit: Int, offset: Int) -> SQLFragment {
        switch (limit, offset) {
        case (0, 0): ""
        case (0, _): " LIMIT -1 OFFSET \(value: .integer(Int64(offset)))"
        case (_, 0): " LIMIT \(value: .integer(Int64(limit)))"
        default: " LIMIT \(value: .integer(Int64(limit))) OFFSET \(value: .integer(Int64(offset)))"
        }
    }

    func isSame(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment { "\(left) IS \(right)" }

    func textLength(_ text: SQLFragment) -> SQLFragment { "\(name: QueryFunction.length)(\(text))" }

    func textForm(_ term: SQLTerm) -> SQLFragment {
        switch term.type {
        // Arithmetic may give a double, of which SQLite's text has too few digits.
        case .integer where term.isColumn, .boolean: "CAST(\(term.sql) AS TEXT)"
        case .uuid: "\(name: QueryFunction.uuidText)(\(term.sql))"
        default: "\(name: QueryFunction.numberText)(\(term.sql))"
        }
    }

    func uuid(ofText text: SQLTerm) -> SQLTerm {
        var term: SQLTerm
        if case .text(let spelling)? = text.constant {
            if let uuid = UUID(uuidString: spelling) { return SQLTerm(constant: .blob(uuid.data), type: .uuid) }
            term = SQLTerm(sql: "NULL", type: .uuid)
        } else {
            term = SQLTerm(sql: "\(name: QueryFunction.uuidBytes)(\(text.sql))", type: .uuid)
        }
        term.losesValues = true
        return term
    }

    // MARK: Strings

    func textTest(
        _ type: NSComparisonPredicate.Operator, _ text: SQLFragment, _ pattern: SQLTerm,
        options: NSComparisonPredicate.Options
    ) -> SQLFragment {
        if type == .contains, !StringFolding.isNeeded(options), case .text(let part)? = pattern.constant, !part.isEmpty
        {
            return "instr(\(text), \(pattern.sql)) > 0"
        }
        let function =
            switch type {
            case .contains: "ocd_contains"
            case .beginsWith: "ocd_begins"
            case .endsWith: "ocd_ends"
            case .like: "ocd_like"
            case .matches: "ocd_matches"
            default: "ocd_equal"
            }
        let flags = SQLValue.integer(Int64(options.rawValue))
        return "\(name: function)(\(text), \(pattern.sql), \(value: flags))"
    }

    func foldedText(_ text: SQLFragment, options: NSComparisonPredicate.Options) -> SQLFragment {
        "\(name: QueryFunction.folded)(\(text), \(value: .integer(Int64(options.rawValue))))"
    }

    func localizedOrder(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        let flags = SQLValue.integer(Int64(NSComparisonPredicate.Options.localeSensitive.rawValue))
        return "ocd_order(\(left), \(right), \(value: flags))"
    }

    func collated(_ text: SQLFragment, selector: String) -> SQLFragment? {
        guard let ordering = StringOrdering(rawValue: selector) else { return nil }
        return ordering.collationName.map { "\(text) COLLATE \(name: $0)" } ?? text
    }

    func function(_ name: String, _ arguments: [SQLFragment]) -> SQLFragment {
        "\(name: QueryFunction.call)(\(([.value(.text(name))] + arguments).joined(", ")))"
    }

    // MARK: Groups

    func checked(_ number: SQLTerm) -> SQLFragment {
        guard number.attribute != nil else { return number.sql }
        return "\(name: NumberFunction.number.name(for: number))(\(number.sql))"
    }

    func aggregate(_ function: SQLTranslator.Aggregate, _ value: SQLTerm) throws -> SQLFragment {
        guard let own = NumberFunction(function, of: value) else { return try plainAggregate(function, value) }
        return "\(name: own.name(for: value))(\(value.sql))"
    }

    func decimalAggregate(_ function: SQLTranslator.Aggregate, _ value: SQLFragment) -> SQLFragment {
        // The functions give strings; a decimal column holds numbers.
        let name = function == .average ? "ocd_decimal_average" : "ocd_decimal_sum"
        return "CAST(\(name: name)(\(value)) AS REAL)"
    }

    func median(_ value: SQLFragment, isNumber: Bool) -> SQLFragment {
        "\(name: isNumber ? GroupFunction.median : GroupFunction.lowMedian)(\(value))"
    }

    func standardDeviation(_ value: SQLFragment) -> SQLFragment { "\(name: GroupFunction.deviation)(\(value))" }

    // MARK: Lists

    func list(_ values: [SQLValue], type: SQLValueType) -> SQLFragment {
        guard values.count > Self.longestPlaceholderList else {
            // Few lengths of list, so that statements stay prepared: the last value fills up what is left.
            var count = 1
            while count < values.count { count *= 2 }
            let padding = Array(repeating: values.last ?? .null, count: count - values.count)
            return "(\(SQLFragment.values(values + padding)))"
        }
        if values.allSatisfy({ if case .integer = $0 { true } else { false } }) {
            return "(SELECT value FROM json_each(\(value: .text(Self.json(values)))))"
        }
        let list = SQLFragment.value(.text(Self.json(values)))
        return "(SELECT \(name: QueryFunction.listValue)(value) FROM json_each(\(list)))"
    }

    /// A JSON array: plain numbers for integers, else one coded string for each value.
    private static func json(_ values: [SQLValue]) -> String {
        let isPlain = values.allSatisfy { if case .integer = $0 { true } else { false } }
        let elements = values.map { value -> String in
            if isPlain, case .integer(let integer) = value { return String(integer) }
            return "\"" + ListCoding.encode(value) + "\""
        }
        return "[" + elements.joined(separator: ",") + "]"
    }
}

/// Values of any type as strings without special characters, for lists that are bound as one value.
enum ListCoding {
    static func encode(_ value: SQLValue) -> String {
        switch value {
        case .null: "n"
        case .integer(let integer): "i\(integer)"
        case .real(let real): "r\(real.bitPattern)"
        case .text(let string): "t" + hexadecimal(Array(string.utf8))
        case .blob(let data): "b" + hexadecimal(Array(data))
        }
    }

    static func decode(_ string: String) -> SQLValue {
        let rest = string.dropFirst()
        switch string.first {
        case "i": return Int64(rest).map { .integer($0) } ?? .null
        case "r": return UInt64(rest).map { .real(Double(bitPattern: $0)) } ?? .null
        case "t": return .text(String(decoding: bytes(rest), as: UTF8.self))
        case "b": return .blob(Data(bytes(rest)))
        default: return .null
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            result.append(digits[Int(byte >> 4)])
            result.append(digits[Int(byte & 15)])
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        func digit(_ character: UInt8) -> UInt8 { character >= 0x61 ? character - 0x57 : character - 0x30 }
        var result: [UInt8] = []
        var high: UInt8?
        for character in digits.utf8 {
            if let first = high {
                result.append(first << 4 | digit(character))
                high = nil
            } else {
                high = digit(character)
            }
        }
        return result
    }
}
