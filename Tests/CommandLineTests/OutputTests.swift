import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct OutputTests {
    @Test func progressIsShownOnTerminalsOnly() {
        let bar = ProgressBar("export", isTerminal: false)
        #expect(
            bar.line(done: 100, of: 200, after: .seconds(90))
                == "export ███████████████░░░░░░░░░░░░░░░ 50 %  1 min 30 s left")
        #expect(bar.line(done: 1, of: 4, after: .seconds(4_000)).hasSuffix(" 25 %  3 h 20 min left"))
        #expect(bar.line(done: 0, of: 4, after: .seconds(4)).hasSuffix(" 0 %  4 s so far"))
        #expect(bar.line(done: 0, of: 0, after: .zero).hasSuffix("100 %  0 s left"))
    }

    @Test(arguments: [80, 46, 40, 28, 10, 1])
    func progressFitsTheTerminal(columns: Int) {
        let bar = ProgressBar("Backing up", isTerminal: false)
        for done in [0, 7, 50, 100] {
            let line = bar.line(done: done, of: 100, after: .seconds(3_000), fitting: columns)
            #expect(line.count < columns, "\(line)")
            if columns > 20 { #expect(line.contains("\(done) %") && line.hasPrefix("Backing up")) }
            #expect(line.contains { $0 == "█" || $0 == "░" } == (columns >= 46 || columns == 40))
        }
    }

    @Test func filesAppearWhenTheyAreComplete() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("out.json")
        try Data("old".utf8).write(to: file)
        do {
            let sink = try OutputSink(path: file.path, force: true, inputs: [])
            try sink.write(String(repeating: "x", count: 200_000))
        }
        #expect(try Data(contentsOf: file) == Data("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["out.json"])

        let sink = try OutputSink(path: file.path, force: true, inputs: [])
        try sink.writeLine("new")
        try sink.finish()
        #expect(try Data(contentsOf: file) == Data("new\n".utf8))
    }
}
