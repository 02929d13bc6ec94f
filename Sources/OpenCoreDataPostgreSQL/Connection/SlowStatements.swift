#if PostgreSQL
import OpenCoreData

/// The statements of one connection that took long: they are logged with the server's plans, without values. Follows the
/// confinement of its connection.
final class SlowStatements {
    private struct Slow {
        var statement: PostgreSQLStatement
        var seconds: Double
        var note: String
    }

    private let log: SlowStatementLog
    /// Those that are logged when the connection is in no transaction, which asking for a plan could end.
    private var waiting: [Slow] = []

    /// A transaction with more slow statements than this logs the first of them.
    private static let mostWaiting = 16

    init(_ log: SlowStatementLog) { self.log = log }

    func note(_ statement: PostgreSQLStatement, seconds: Double, note: String) {
        guard seconds >= log.limit, waiting.count < Self.mostWaiting else { return }
        waiting.append(Slow(statement: statement, seconds: seconds, note: note))
    }

    /// Logs what waits.
    ///
    /// - Parameter plan: The lines of a statement's plan; `nil` for one that has no plan.
    func flush(plan: (PostgreSQLStatement) -> [String]?) {
        guard !waiting.isEmpty else { return }
        let slow = waiting
        waiting = []
        for one in slow {
            log.write(one.statement.sql, seconds: one.seconds, note: one.note) {
                plan(one.statement)?.map(Self.withoutValues)
            }
        }
    }

    /// A line of a plan with `?` in place of the values that a condition compares with.
    static func withoutValues(_ line: String) -> String {
        guard line.contains("Cond: ") || line.contains("Filter: ") else { return line }
        var result = ""
        var quotation: Character?
        var isNumber = false
        for character in line {
            if let open = quotation {
                if open == "\"" { result.append(character) }
                if character == open { quotation = nil }
            } else if character == "'" {
                // A quotation mark in a string is written as two, which are two strings here.
                if result.last != "?" { result.append("?") }
                quotation = character
            } else if character.isNumber, isNumber || !(result.last.map(Self.isPartOfName) ?? false) {
                if !isNumber { result.append("?") }
                isNumber = true
                continue
            } else {
                if character == "\"" { quotation = character }
                if isNumber, character == "." { continue }
                result.append(character)
            }
            isNumber = false
        }
        return result
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }
}
#endif
