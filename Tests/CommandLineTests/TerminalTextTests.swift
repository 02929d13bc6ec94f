import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import StoreTools

/// Nothing in a store or a name reaches the terminal as anything but visible text.
@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("é日本😀", "é日本😀"), ("a\u{1B}[31mb", "a␛[31mb"), ("a\u{7}b", "a␇b"), ("a\nb", "a⏎b"),
        ("a\r\nb", "a⏎b"), ("a\rb", "a␍b"), ("a\tb", "a b"), ("a\u{0}b", "a␀b"), ("a\u{7F}b", "a␡b"),
        ("a\u{9B}31mb", "a�31mb"), ("a\u{202E}b", "a<U+202E>b"), ("a\u{2066}b", "a<U+2066>b"),
        ("a\u{200E}b", "a<U+200E>b"), ("a\u{61C}b", "a<U+061C>b"), ("a\u{2028}b", "a<U+2028>b"),
        ("a\u{2029}b", "a<U+2029>b"), ("a\u{200B}b", "a<U+200B>b"), ("a\u{FEFF}b", "a<U+FEFF>b"),
        ("a\u{AD}b", "a<U+00AD>b"), ("a\u{E0041}b", "a<U+E0041>b"), ("a\u{3164}b", "a<U+3164>b"),
        // Joiners that do their work stay, others don't.
        ("👩🏽‍💻", "👩🏽‍💻"), ("❤️", "❤️"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("ad\u{200D}min", "ad<U+200D>min"),
        ("\u{200D}", "<U+200D>"),
    ])
    func everythingIsVisible(_ string: String, _ visible: String) {
        #expect(TerminalText.line(string) == visible)
        #expect(TerminalText.line(visible) == visible)
    }

    @Test func linesAndTabsStayInTextOfSeveralLines() {
        #expect(TerminalText.lines("a\n\tb\r\nc\u{1B}\u{202E}\n") == "a\n\tb\nc␛<U+202E>\n")
    }

    /// Every scalar that Unicode calls a control or a line separator, or says is not to be shown.
    @Test func noScalarIsForgotten() {
        for value in 0...0x10_FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            let isHidden =
                switch properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
                }
            if isHidden { #expect(TerminalText.isHidden(scalar), "\(String(value, radix: 16))") }
        }
    }

    @Test func jsonEscapesAndMeansTheSame() throws {
        let string = "a\u{1B}\u{9B}\u{202E}\u{2028}\u{200B}\u{E0041}\u{7F}👩🏽‍💻é\"\\"
        let json = JSONText.string(of: .string(string))
        #expect(
            json == "\"a\\u001b\\u009b\\u202e\\u2028\\u200b\\udb40\\udc41\\u007f👩🏽‍💻é\\\"\\\\\"")
        #expect(
            try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String == string)
        var parser = JSONPullParser(json)
        #expect(try parser.readValue() == .string(string))
    }

    // MARK: The command

    private static let nasty = "x\u{1B}[31m\u{7}\u{9B}2J\u{202E}\u{200B}\u{2028}y"
    private static let isRunnable = CommandRunner.isBuilt && FileManager.default.fileExists(atPath: "/usr/bin/script")

    /// A store with bad names of a file, an entity, properties, and a version, and a bad value.
    private func makeStore(in folder: TemporaryFolder) throws -> URL {
        let name = NSAttributeDescription()
        name.name = "name" + Self.nasty
        name.type = .string
        let entity = NSEntityDescription()
        entity.name = "Thing" + Self.nasty
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        model.versionIdentifiers = ["v" + Self.nasty]
        let url = folder.file("S\(Self.nasty).sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Thing" + Self.nasty, into: context)
            object.setValue(Self.nasty, forKey: "name" + Self.nasty)
            try context.save()
        }
        try coordinator.remove(store)
        return url
    }

    private func expectVisible(_ string: String, _ command: String) {
        let hidden = string.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && TerminalText.isHidden($0) }
        #expect(hidden.isEmpty, "\(command): \(hidden.map { String($0.value, radix: 16) }) in \(string)")
    }

    @Test(.enabled(if: CommandRunner.isBuilt)) func namesAndValuesOfAStoreAreSafe() throws {
        let folder = try TemporaryFolder()
        let store = try makeStore(in: folder).path
        let entity = "Thing" + Self.nasty
        let other = try SampleStore.make(in: folder).path
        for arguments in [
            ["info", store], ["info", store, "--json"], ["schema", store], ["schema", store, "--json"],
            ["list", store, entity], ["list", store, entity, "--format", "json"], ["count", store, "Nothing"],
            ["count", store, entity], ["check", store], ["model", "diff", store, other],
            ["model", "diff", other, store],
            ["model", "diff", store, other, "--json"], ["model", "validate", store, "--notes"],
            ["model", "diagram", store, "-o", "-"], ["set", store, entity + "/p1", "name\(Self.nasty)=\(Self.nasty)"],
            ["set", store, entity + "/p1", "name=\(Self.nasty)"], ["delete", store, entity + "/p1", "--dry-run"],
            ["export", store, "-o", "-"], ["export", store, "-o", store], ["import", other, store],
            ["migrate", store, "--to", other, "--dry-run"], ["info", store + "x"],
            ["info", store, "--no" + Self.nasty],
            [Self.nasty], ["model", "extract", store, "-o", folder.file("m\(Self.nasty).momd").path],
        ] {
            let result = try CommandRunner.run(arguments)
            expectVisible(result.output, "\(arguments)")
            expectVisible(result.errors, "\(arguments)")
            #expect(!(result.output + result.errors).isEmpty)
        }
    }

    @Test(.enabled(if: isRunnable)) func csvIsExactInAFileAndSafeOnATerminal() throws {
        let folder = try TemporaryFolder()
        let store = try makeStore(in: folder).path
        let entity = "Thing" + Self.nasty
        for arguments in [
            ["list", store, entity, "--format", "csv"],
            ["export", store, "--format", "csv", "--entity", entity, "-o", "-"],
        ] {
            let exact = try CommandRunner.run(arguments)
            #expect(exact.status == 0, "\(exact.errors)")
            #expect(exact.output.contains(Self.nasty))
            let quoted = ([CommandRunner.executable.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
            let screen = try CommandRunner.run(
                program: URL(fileURLWithPath: "/usr/bin/script"), ["-qec", quoted, "/dev/null"])
            #expect(screen.output.contains("x␛[31m␇�2J<U+202E><U+200B><U+2028>y"), "\(screen.output)")
            // The progress bar's own.
            expectVisible(screen.output.replacingOccurrences(of: "\u{1B}[K", with: ""), "\(arguments)")
        }
    }

    @Test(.enabled(if: isRunnable), arguments: [80, 40])
    func linesFitTheTerminal(_ columns: Int) throws {
        let folder = try TemporaryFolder()
        let store = try SampleStore.make(in: folder).path
        for (arguments, contained) in [
            (["list", store, "Person"], "--fields to choose"), (["info", store], "Features"),
            (["list", store, "Nobody"], "has no entity named Nobody"), (["show", store, "Person/p1"], "settings"),
        ] {
            let quoted = ([CommandRunner.executable.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
            let screen = try CommandRunner.run(
                program: URL(fileURLWithPath: "/usr/bin/script"),
                ["-qec", "stty cols \(columns); \(quoted)", "/dev/null"])
            let lines = screen.output.split(whereSeparator: \.isNewline).map(String.init)
            #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns }, "\(screen.output)")
            let string = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            #expect(string.contains(contained), "\(screen.output)")
        }
        // The reader of a pipe gets all columns and whole lines.
        let piped = try CommandRunner.run("list", store, "Person").output
        #expect(piped.contains("objectID") && piped.contains("settings") && piped.contains("token"))
    }
}
