#if CommandLineTool
import ArgumentParser
import Foundation

/// What may follow in a line of the command `shell`.
struct ShellCompletion {
    private static let withKeyPaths: Set<String> = [
        "--where", "--fields", "--sort", "--group-by", "--compute", "--key",
    ]
    private static let withObjects: Set<String> = ["show", "set", "delete"]
    private static let withAssignments: Set<String> = ["set", "insert"]

    let store: String
    let commands: [String]

    /// What may stand in place of the last word of what is typed.
    func candidates(_ typed: String) -> LineEditor.Candidates {
        let line = ShellWords(partOf: typed)
        let last = line.endsWithSpace ? "" : line.words.last ?? ""
        let before = line.endsWithSpace ? line.words : Array(line.words.dropLast())
        // What is quoted begins behind the mark.
        let opening = typed[line.lastStart...].prefix { $0 == "'" || $0 == "\"" }
        let start = typed.index(line.lastStart, offsetBy: opening.count)
        let all = words(before, last).filter { $0.hasPrefix(last) }
        return LineEditor.Candidates(start: start, words: Set(all).sorted())
    }

    private func words(_ before: [String], _ last: String) -> [String] {
        guard let command = before.first else { return commands }
        if last.hasPrefix("-") { return ShellOptions.names(of: command) }
        let line = ["opencoredata", command, store] + before.dropFirst() + [last]
        let index = line.count - 1
        if let option = before.last, Self.withKeyPaths.contains(option) {
            return Completions.lastKeyPath(separatedBy: ",: (!=<>'\"", line, index)
        }
        if before.count == 1 {
            return Self.withObjects.contains(command)
                ? Completions.entityNames(line, index) + Completions.objectNames(line, index)
                : Completions.entityNames(line, index)
        }
        let paths = Completions.keyPaths(last, line, index)
        return Self.withAssignments.contains(command) ? paths.map { $0 + "=" } : paths
    }
}

/// The options of the commands, as the help has them.
enum ShellOptions {
    static func names(of command: String) -> [String] {
        guard
            let document = try? JSONSerialization.jsonObject(with: Data(OpenCoreDataCommand._dumpHelp().utf8)),
            let tool = (document as? [String: Any])?["command"] as? [String: Any],
            let commands = tool["subcommands"] as? [[String: Any]],
            let found = commands.first(where: { $0["commandName"] as? String == command })
        else { return [] }
        let names = (found["arguments"] as? [[String: Any]] ?? []).flatMap { $0["names"] as? [[String: Any]] ?? [] }
        return names.compactMap {
            $0["kind"] as? String == "long" ? ($0["name"] as? String).map { "--" + $0 } : nil
        }
    }
}
#endif
