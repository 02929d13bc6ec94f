#if Inspector && CommandLineTool
    import Foundation
    import OpenCoreData
    import TestSupport
    import Testing

    /// The command `serve`, as a process.
    struct ServeCommandTests {
        private static let executable = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .deletingLastPathComponent().appendingPathComponent("opencoredata")

        private func serve(_ arguments: String...) throws -> (process: Process, output: Pipe, errors: Pipe) {
            let (process, output, errors) = (Process(), Pipe(), Pipe())
            process.executableURL = Self.executable
            process.arguments = ["serve"] + arguments
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            return (process, output, errors)
        }

        @Test func `the command prints an address on this machine, and ends when asked to`() throws {
            let folder = try TemporaryFolder()
            let url = folder.file("Library.sqlite")
            let coordinator = try InspectedLibrary.open(url)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            let before = try Data(contentsOf: url)
            let (process, output, _) = try serve(url.path)
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            #expect(line.wholeMatch(of: /Open http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{64}\n/) != nil, "\(line)")
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(try Data(contentsOf: url) == before)
        }

        @Test func `what is no store is refused in a sentence`() throws {
            let folder = try TemporaryFolder()
            let file = folder.file("Notes.txt")
            try Data("no store".utf8).write(to: file)
            let (process, _, errors) = try serve(file.path)
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            let string = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(string.hasPrefix("opencoredata: ") && string.contains("Notes.txt"), "\(string)")
        }
    }
#endif
