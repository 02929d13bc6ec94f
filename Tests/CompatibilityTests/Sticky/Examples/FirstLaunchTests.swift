import Sticky
import TestSupport
import Testing

/// The example program that shows its first launch again. `Notebook.swift` is the program's own file.
@Suite struct FirstLaunchTests {
    /// A program with a database and settings of its own.
    private struct Program {
        let name = "Sticky-\(UUID().uuidString)"

        /// One launch; nothing lives on to the next but files.
        func run(_ arguments: String...) throws -> [String] {
            let command = try #require(Notebook.Command(arguments))
            return try notebook(name).launch(command)
        }

        func cleanUp() {
            UserDefaults.standard.removePersistentDomain(forName: name)
            UserDefaults(suiteName: name)?.removePersistentDomain(forName: name)
            try? PersistentContainer(name: name, managedObjectModel: Note.model()).deleteSQLiteStores()
        }
    }

    // Feature STICKY-26
    @Test func theSwitchIsReadBeforeTheContainerIsMade() throws {
        let program = Program()
        defer { program.cleanUp() }
        #expect(try program.run("add", "Buy milk") == ["Buy milk"])
        #expect(try program.run("list") == ["Buy milk"])
        #expect(try program.run("memory", "on") == ["The next launch is in memory."])
        #expect(try program.run("list") == [])
        #expect(try program.run("add", "Forget me") == ["Forget me"])
        #expect(try program.run("list") == [])
        #expect(try program.run("delete") == ["There is no database: this launch is in memory."])
        #expect(try program.run("memory", "off") == ["The next launch is in the database."])
        #expect(try program.run("list") == ["Buy milk"])
    }

    // Feature STICKY-26
    @Test func theButtonDeletesTheDatabase() throws {
        let program = Program()
        defer { program.cleanUp() }
        #expect(try program.run("add", "Buy milk") == ["Buy milk"])
        #expect(try program.run("delete") == ["The database is deleted. The next launch is the first one."])
        #expect(try program.run("list") == [])
        #expect(Notebook.Command([]) == nil && Notebook.Command(["memory", "maybe"]) == nil)
    }

    // Feature STICKY-26
    @Test func theSwitchOutlivesTheProcess() async throws {
        let program = Program()
        defer { program.cleanUp() }
        #expect(try program.run("add", "Buy milk") == ["Buy milk"])
        await #expect(processExitsWith: .success) { [name = program.name as String] in
            #expect(try notebook(name).launch(.list) == ["Buy milk"])
            _ = try notebook(name).launch(.startInMemory(true))
        }
        await #expect(processExitsWith: .success) { [name = program.name as String] in
            #expect(try notebook(name).launch(.list) == [])
            _ = try notebook(name).launch(.startInMemory(false))
        }
        await #expect(processExitsWith: .success) { [name = program.name as String] in
            let notes = try notebook(name).launch(.list)
            #expect(notes == ["Buy milk"])
        }
    }
}

private func notebook(_ name: String) throws -> Notebook {
    Notebook(name: name, settings: LaunchSettings(defaults: try #require(UserDefaults(suiteName: name))))
}
