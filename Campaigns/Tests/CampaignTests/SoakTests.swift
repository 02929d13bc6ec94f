import Foundation
import Testing

@Suite(.serialized) struct SoakTests {
    @Test func aLeakIsFoundAndALevelRunPasses() throws {
        let tool = try ToolRunner()
        defer { tool.remove() }
        let samples = tool.folder.appendingPathComponent("samples").path
        let level = try tool(["soak", "--seconds", "6", "--folder", tool.folder.path, "--samples", samples])
        #expect(level.status == 0, "\(level.output)")
        #expect(try String(contentsOfFile: samples, encoding: .utf8).split(separator: "\n").count > 9)
        let leak = try tool(["soak", "--seconds", "6", "--folder", tool.folder.path, "--planted"])
        #expect(leak.status == 1, "\(leak.output)")
        #expect(leak.output.contains(" grows:"))
    }
}
