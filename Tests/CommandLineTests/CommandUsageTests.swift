import Foundation
import Testing

@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct CommandUsageTests {
    @Test(arguments: [
        ["nonsense"], ["info"], ["list", "store"], ["count"], ["set", "store"],
        ["set", "store", "Book/p1"], ["set", "store", "Book/p1", "no-equals-sign"], ["delete", "store"], ["check"],
        ["info", "store", "--nonsense"], ["list", "store", "Book", "--limit", "-1"],
        ["list", "store", "Book", "--limit", "many"], ["list", "store", "Book", "--offset", "-1"],
        ["list", "store", "Book", "--format", "xml"], ["list", "store", "Book", "--sort", "title:up"],
        ["list", "store", "Book", "--fields", "a,,b"], ["export", "store", "--format", "csv", "--output", "x"],
        ["import", "store"], ["schema"], ["backup", "store"], ["insert", "store"], ["create", "store"],
        ["search", "store"],
        ["list", "store", "Book", "--all", "--limit", "1"], ["delete", "store", "Book/p1", "--yes"],
    ])
    func wrongUsageIs64(_ arguments: [String]) throws {
        let result = try CommandRunner.run(arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }

    @Test func unknownCommandsAreNamed() throws {
        #expect(
            try CommandRunner.run("lst", "a.sqlite").errors.hasPrefix(
                "Error: There is no command lst; did you mean list?"))
        #expect(
            try CommandRunner.run("model", "exract", "a.sqlite").errors
                .hasPrefix("Error: There is no command model exract; did you mean extract?"))
        #expect(try CommandRunner.run("frobnicate").errors.hasPrefix("Error: There is no command frobnicate.\n"))
        #expect(try CommandRunner.run("help", "list").status == 0)
        #expect(try CommandRunner.run("help", "model", "extract").status == 0)
        for unknown in [["help", "frobnicate"], ["help", "model", "frobnicate"]] {
            let result = try CommandRunner.run(unknown)
            #expect(result.status == 64 && result.errors.contains("There is no command"))
        }
    }

    @Test func aNegativeNumberIsNamed() throws {
        for option in ["--limit", "--offset"] {
            let result = try CommandRunner.run("list", "a.sqlite", "Book", option, "-1")
            #expect(result.status == 64 && result.errors.contains("\(option) must not be negative"))
        }
    }

    @Test(arguments: [
        [], ["--help"], ["info", "--help"], ["schema", "--help"], ["list", "--help"], ["count", "--help"],
        ["export", "--help"], ["import", "--help"], ["set", "--help"], ["delete", "--help"], ["check", "--help"],
        ["backup", "--help"], ["insert", "--help"], ["create", "--help"], ["search", "--help"], ["sql", "--help"],
        ["shell", "--help"],
    ])
    func helpIsPrinted(_ arguments: [String]) throws {
        let result = try CommandRunner.run(arguments)
        #expect(result.status == 0)
        #expect(result.output.contains("USAGE: opencoredata"))
        #expect(result.errors.isEmpty)
    }
}
