import CSQLite
import Foundation

/// `ocd_call(name, arguments…)`: the functions of the format language in SQL.
extension SQLiteConnection {
    func registerPredicateFunctions() throws {
        try register(QueryFunction.call, -1, isDeterministic: true) { context, count, arguments in
            guard let arguments, count > 0, let name = SQLFunctionArgument.text(arguments[0]) else {
                return sqlite3_result_null(context)
            }
            do {
                let values = (1..<Int(count)).map { SQLFunctionArgument.any(arguments[$0]) }
                let result = try PredicateFunctions.call(name, values)
                SQLFunctionArgument.result(context, value: result.flatMap { SQLConstant.term($0)?.constant } ?? .null)
            } catch {
                sqlite3_result_error(context, (error as NSError).localizedDescription, -1)
            }
        }
    }
}

extension SQLFunctionArgument {
    /// An argument as predicates see it.
    static func any(_ argument: OpaquePointer?) -> Any? {
        switch value(argument) {
        case .null: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .text(let string): string
        case .blob(let data): data
        }
    }
}
