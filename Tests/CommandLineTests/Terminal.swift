import Foundation

/// Runs the command in a terminal, with `script` of util-linux.
enum Terminal {
    static let program = URL(fileURLWithPath: "/usr/bin/script")
    static let isThere = CommandRunner.isBuilt && FileManager.default.isExecutableFile(atPath: program.path)

    /// Runs the command as a user would.
    ///
    /// - Parameters:
    ///   - input: What the user types.
    ///   - setting: Assignments of environment variables.
    /// - Returns: The lines on the screen, those of standard error too.
    static func run(
        _ arguments: [String], columns: Int = 80, input: String = "", setting environment: [String] = ["PAGER="]
    ) throws -> (status: Int32, lines: [String]) {
        let quoted = ([CommandRunner.executable.path] + arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }
        let variables = environment.map { "'\($0)'" }.joined(separator: " ")
        let line = "stty cols \(columns); env \(variables) \(quoted.joined(separator: " "))"
        let result = try CommandRunner.run(program: program, ["-qec", line, "/dev/null"], input: Data(input.utf8))
        return (result.status, result.output.split(whereSeparator: \.isNewline).map(String.init))
    }
}
