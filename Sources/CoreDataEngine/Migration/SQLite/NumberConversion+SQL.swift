import CSQLite
import Foundation

extension NumberConversion {
    private static let function = "ocd_convert_number"

    /// SQL for a number in the new type: NULL for NULL, and for a value that doesn't fit.
    func sql(_ value: String) -> String { "\(Self.function)(\(value), \(source.rawValue), \(destination.rawValue))" }

    /// Makes the function that ``sql(_:)`` calls known to a connection.
    static func register(on connection: SQLiteConnection) throws {
        try connection.register(function, 3, isDeterministic: true) { context, _, arguments in
            let types = [1, 2].compactMap { NSAttributeType(rawValue: UInt(sqlite3_value_int64(arguments?[$0]))) }
            guard types.count == 2, let conversion = NumberConversion(from: types[0], to: types[1]),
                let number = conversion.number(arguments?[0]), let converted = conversion.convert(number)
            else {
                sqlite3_result_null(context)
                return
            }
            NumberConversion.setResult(converted, context)
        }
    }

    private func number(_ argument: OpaquePointer?) -> Number? {
        if source == .decimalAttributeType {
            return SQLFunctionArgument.shortestNumber(argument).flatMap { Decimal(shortestString: $0) }
                .map { .decimal($0) }
        }
        return switch SQLFunctionArgument.value(argument) {
        case .integer(let value): .integer(value)
        case .real(let value): .floating(value)
        default: nil
        }
    }

    private static func setResult(_ number: Number, _ context: OpaquePointer?) {
        switch number {
        case .integer(let value): sqlite3_result_int64(context, value)
        case .floating(let value): sqlite3_result_double(context, value)
        case .decimal(let value):
            switch SQLNumber.value(of: value) {
            case .integer(let value): sqlite3_result_int64(context, value)
            case .real(let value): sqlite3_result_double(context, value)
            case .text(let string): SQLFunctionArgument.result(context, string)
            default: sqlite3_result_null(context)
            }
        }
    }
}

extension SQLValue {
    /// The value in a message.
    var shown: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): SQLNumber.string(of: value)
        case .text(let value): "\"\(value)\""
        case .blob(let value): "\(value.count) bytes"
        }
    }
}
