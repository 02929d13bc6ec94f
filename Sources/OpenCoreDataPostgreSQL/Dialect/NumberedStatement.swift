#if PostgreSQL
import Foundation
import OpenCoreData

/// A statement of the shared SQL with numbered placeholders, and its values in the server's binary form.
///
/// A `?` may be followed by the type that its value is sent as, `?::int8`; others are sent as what the value is,
/// and get their type in the text too, so that the server never has to guess. NULL becomes a word of the text.
struct NumberedStatement {
    private(set) var sql = ""
    private(set) var parameters = PostgreSQLParameters()
    /// The names of the values' types; `nil` for a value that stands in the text as NULL.
    private var types: [String?] = []

    /// Names of types as they stand after a placeholder.
    private static let types: [String: PostgreSQLType] = [
        "bool": .bool, "int2": .int2, "int4": .int4, "int8": .int8, "float8": .float8, "numeric": .numeric,
        "text": .text, "uuid": .uuid, "bytea": .bytea, "timestamptz": .timestamptz,
    ]

    static func name(of type: PostgreSQLType) -> String { types.first { $0.value == type }?.key ?? type.sqlName }

    /// - Parameters:
    ///   - statement: Text with a `?` for each value; names in quotation marks may have any character.
    ///   - sharing: Whether equal values become one parameter, so that equal expressions stay equal to the server.
    ///     The text then depends on the values.
    /// - Throws: `PostgreSQLError` for a value that the server doesn't take.
    init(_ statement: SQLQueryBuilder.Statement, sharing: Bool = false) throws {
        var output: [UInt8] = []
        let source = Array(statement.sql.utf8)
        output.reserveCapacity(source.count + statement.bindings.count * 10)
        var numbers: [Shared: Int] = [:]
        var next = 0
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // A doubled mark ends one quoted part and begins the next.
                let end = source[(index + 1)...].firstIndex(of: byte) ?? source.count - 1
                output += source[index...end]
                index = end + 1
                continue
            }
            guard byte == UInt8(ascii: "?"), next < statement.bindings.count else {
                output.append(byte)
                index += 1
                continue
            }
            let value = statement.bindings[next]
            next += 1
            index += 1
            let suffix = Self.suffix(source[index...])
            index += suffix.length
            if case .null = value {
                types.append(nil)
                output += Array("NULL".utf8) + (suffix.name.map { Array("::\($0)".utf8) } ?? [])
                continue
            }
            let name = suffix.name ?? Self.name(of: value)
            types.append(name)
            var number: Int
            if sharing, let known = numbers[Shared(value: value, type: name)] {
                number = known
            } else {
                try append(value, as: name)
                number = parameters.count
                if sharing { numbers[Shared(value: value, type: name)] = number }
            }
            output += Array("$\(number)::\(name)".utf8)
        }
        sql = String(decoding: output, as: UTF8.self)
    }

    /// SQL with numbered placeholders, which fits all values of the same kinds: made once for a query that differs
    /// in its values alone.
    struct Form: Sendable {
        let sql: String
        fileprivate let kinds: [UInt8]
        fileprivate let types: [String?]

        func fits(_ values: [SQLValue]) -> Bool { kinds.elementsEqual(values.lazy.map(NumberedStatement.kind)) }
    }

    /// - Parameter statement: One without shared parameters, made of these values.
    static func form(of statement: NumberedStatement, _ values: [SQLValue]) -> Form? {
        guard statement.types.count == values.count else { return nil }
        return Form(sql: statement.sql, kinds: values.map(kind), types: statement.types)
    }

    /// - Parameter form: One that fits the values.
    init(_ form: Form, _ values: [SQLValue]) throws {
        sql = form.sql
        for (value, type) in zip(values, form.types) {
            if let type { try append(value, as: type) }
        }
    }

    private static func kind(_ value: SQLValue) -> UInt8 {
        switch value {
        case .null: 0
        case .integer: 1
        case .real: 2
        case .text: 3
        case .blob: 4
        }
    }

    /// The statement as the connection takes it.
    var statement: PostgreSQLStatement { PostgreSQLStatement(sql, parameters) }

    private struct Shared: Hashable {
        var value: SQLValue
        var type: String
    }

    /// The type that follows a placeholder.
    private static func suffix(_ rest: ArraySlice<UInt8>) -> (name: String?, length: Int) {
        guard rest.starts(with: [UInt8(ascii: ":"), UInt8(ascii: ":")]) else { return (nil, 0) }
        var end = rest.startIndex + 2
        while end < rest.endIndex, isLetterOrDigit(rest[end]) { end += 1 }
        if rest[end...].starts(with: [UInt8(ascii: "["), UInt8(ascii: "]")]) { end += 2 }
        return (String(decoding: rest[(rest.startIndex + 2)..<end], as: UTF8.self), end - rest.startIndex)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func name(of value: SQLValue) -> String {
        switch value {
        case .integer: "int8"
        case .real: "float8"
        case .text, .null: "text"
        case .blob: "bytea"
        }
    }

    private mutating func append(_ value: SQLValue, as name: String) throws {
        if name.hasSuffix("[]"), case .blob(let data) = value,
            let array = Self.types[String(name.dropLast(2))]?.array
        {
            return parameters.append(array) { $0.put(data: data) }
        }
        switch (name, value) {
        case ("int8", .integer(let number)): parameters.append(int8: number)
        case ("int4", .integer(let number)): parameters.append(int4: Int32(clamping: number))
        case ("int2", .integer(let number)): parameters.append(int2: Int16(clamping: number))
        case ("bool", .integer(let number)): parameters.append(bool: number != 0)
        case ("float8", .real(let number)): parameters.append(float8: number)
        case ("float8", .integer(let number)): parameters.append(float8: Double(number))
        case ("timestamptz", .real(let number)):
            try parameters.append(timestamptz: Date(timeIntervalSinceReferenceDate: number))
        case ("timestamptz", .integer(let number)):
            try parameters.append(timestamptz: Date(timeIntervalSinceReferenceDate: Double(number)))
        case ("numeric", .text(let string)): parameters.append(numeric: Decimal(string: string) ?? .nan)
        case ("numeric", .integer(let number)): parameters.append(numeric: Decimal(number))
        case ("numeric", .real(let number)): parameters.append(numeric: Decimal(string: "\(number)") ?? .nan)
        case ("text", .text(let string)): try parameters.append(text: string)
        case ("bytea", .blob(let data)): parameters.append(bytea: data)
        case ("uuid", .blob(let data)):
            guard data.count == 16 else { throw PostgreSQLError(.invalidValue, "A UUID has 16 bytes.") }
            parameters.append(uuid: data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        default:
            throw PostgreSQLError(.misuse, "A value of another kind stands where one of type \(name) is needed.")
        }
    }
}
#endif
