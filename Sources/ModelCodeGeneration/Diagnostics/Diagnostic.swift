/// Something that is wrong with a model or a source file, in the form in which compilers say it.
package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The code can't be created.
        case error
        /// The code can be made, but is perhaps not what was wanted.
        case warning
    }

    package var severity: Severity
    /// The path of the file, as it was given.
    package var file: String
    /// The line, counted from 1.
    package var line: Int?
    package var message: String

    package init(_ severity: Severity = .error, file: String, line: Int?, _ message: String) {
        self.severity = severity
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(severity.rawValue): \(message)"
    }
}
