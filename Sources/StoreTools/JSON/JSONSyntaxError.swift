/// A document that is not JSON, and where.
package struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    package var line: Int
    package var column: Int
    package var reason: String

    package var description: String { "line \(line), column \(column): \(reason)" }
}
