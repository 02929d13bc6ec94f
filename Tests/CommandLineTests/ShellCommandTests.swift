import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// `shell`: commands one after the other, with a history and completion in a terminal.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct ShellCommandTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try BookStore.make(in: folder)
    }

    private func run(_ lines: String..., status: Int32 = 0) throws -> CommandRunner.Result {
        let result = try CommandRunner.run(["shell", store], input: Data((lines.joined(separator: "\n") + "\n").utf8))
        #expect(result.status == status, "\(result.errors)")
        return result
    }

    @Test func linesAreCommandsOnTheStore() throws {
        let result = try run(
            "count Book", "", "# a remark", "list Book --where 'pages > 103' --fields title --format csv",
            "select count(*) as n from Tag", "set Book/p1 'title=A \"new\" one'", "count Book --where \"pages > 102\"",
            "exit",
            "delete Book/p1")
        #expect(result.output.hasPrefix("4\ntitle\r\nBook 4\r\n"), "\(result.output)")
        #expect(result.output.contains("n\n─\n2\n") && result.output.hasSuffix("\n2\n"), "\(result.output)")
        #expect(
            try SQLiteShell.run(
                "SELECT count(*), sum(ZTITLE = 'A \"new\" one') FROM ZBOOK", on: URL(fileURLWithPath: store)) == "4|1")
    }

    @Test func aFailureIsSaidAndTheRestIsRun() throws {
        let result = try run("count Bok", "count 'Book", "frobnicate", "create x", "count Book", status: 1)
        #expect(result.output == "4\n")
        for part in ["did you mean Book?", "quotation mark", "There is no command frobnicate", "create can't be used"] {
            #expect(result.errors.contains(part), "\(result.errors)")
        }
        #expect(try CommandRunner.run("shell", store + "x").status == 1)
    }

    /// Each command that takes a store can be typed without it.
    @Test func everyCommandOnAStoreIsOffered() throws {
        let notOnAStore: Set<String> = ["create", "shell", "model", "help"]
        let help = try CommandRunner.run("--experimental-dump-help").output
        let document = try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any]
        let tool = document?["command"] as? [String: Any]
        let commands = (tool?["subcommands"] as? [[String: Any]] ?? []).compactMap { $0["commandName"] as? String }
        #expect(commands.contains("index"))
        #expect(Set(ShellCommands.names).isSuperset(of: Set(commands).subtracting(notOnAStore)))
        let result = try run("index Book.title", status: 1)
        #expect(result.errors.contains("\(store) isn't the URL of a PostgreSQL store"), "\(result.errors)")
    }

    @Test(.enabled(if: Terminal.isThere)) func aTerminalHasHistoryAndCompletion() throws {
        let history = folder.file("history").path
        // Tab completes; the arrow key brings back; Ctrl-D ends.
        let screen = try Terminal.run(
            ["shell", store], input: "cou\tBoo\t\r\u{1B}[A --where 'pa\t > 101'\r\u{4}",
            setting: ["PAGER=", "TERM=xterm", "OPENCOREDATA_HISTORY=\(history)"])
        let text = screen.lines.joined(separator: "\n")
        #expect(screen.lines.contains("4") && screen.lines.contains("3"), "\(text)")
        let kept = try String(contentsOfFile: history, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(kept == ["count Book", "count Book --where 'pages > 101'"], "\(kept)")
        let permissions = try FileManager.default.attributesOfItem(atPath: history)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
    }

    @Test(arguments: [
        ("a b", ["a", "b"]), ("  a  'b c' ", ["a", "b c"]), ("a=\"b \\\" c\"", ["a=b \" c"]), ("a\\ b", ["a b"]),
        ("''", [""]),
        ("'a\\n'", ["a\\n"]), ("", []), ("a'b'c", ["abc"]),
    ])
    func wordsAreThoseOfShells(_ line: String, _ words: [String]) throws {
        #expect(try #require(ShellWords(line)).words == words)
        #expect(ShellWords("\(line) 'x") == nil)
    }
}
