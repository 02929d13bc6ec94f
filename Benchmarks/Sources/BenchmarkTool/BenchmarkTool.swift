import Bookshelf
import EngineWorkload
import Foundation
import RawWorkload

#if BENCHMARK_PEERS
import GRDBWorkload
#endif
#if BENCHMARK_POSTGRESQL
import ServerWorkload
#endif
#if BENCHMARK_SWIFTDATA
import SwiftDataWorkload
#endif

/// The command `benchmark`: times the workload and compares every ratio with its budget.
@main
struct BenchmarkTool {
    /// What the others are compared with; budgets are not about it.
    static let baselineName = "raw"
    static let implementationNames = [baselineName, "engine"]

    let options: Options
    let folder: URL

    static func main() {
        do {
            let options = try Options(
                arguments: Array(CommandLine.arguments.dropFirst()), implementations: implementationNames)
            let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("benchmark-\(UUID())")
            defer { if options.folder == nil { try? FileManager.default.removeItem(at: temporary) } }
            let holds = try BenchmarkTool(options: options, folder: options.folder ?? temporary).run()
            if options.check, !holds { exit(1) }
        } catch let error as UsageError {
            fail([error.message, Options.usage].compactMap { $0 }.joined(separator: "\n"), status: 64)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    /// Does what is asked, and answers whether every budget holds.
    private func run() throws -> Bool {
        if let child = options.child {
            try runChild(child.implementation, child.operation)
            return true
        }
        if let count = options.childImport {
            _ = try ImportFigures.run(folder: folder, count: count)
            print(PeakMemory.heldBytes ?? 0)
            return true
        }
        if options.childScale {
            try runChildScale()
            return true
        }
        if let kind = options.childHold {
            try runChildHold(kind)
            return true
        }
        if let count = options.writers {
            try runWriters(count)
            return true
        }
        if let count = options.smallSaves {
            try runSmallSaves(count)
            return true
        }
        var holds = true
        if !options.operations.isEmpty || options.memory { holds = try runRatios() && holds }
        if options.scale { holds = try runScale() && holds }
        if options.importMemory { holds = try runImportMemory() && holds }
        if options.batches { holds = try runBatches() && holds }
        if options.accessors { try runAccessors() }
        if options.controller { try runController() }
        if options.kit { holds = try runKit() && holds }
        if options.swiftData { holds = try runSwiftData() && holds }
        return holds
    }

    private func runWriters(_ count: Int) throws {
        #if BENCHMARK_POSTGRESQL
        let writers = try EngineServerWorkload.writers(server: Options.server, count: count)
        let (saves, seconds) = try writers.run(
            until: options.writerSaves.map { .saves($0) } ?? .seconds(Double(options.writerSeconds)))
        try writers.close()
        print(
            "\(count) writers: \(saves) saves in \(Figures.decimal(seconds, places: 2)) s, "
                + "\(Int(Double(saves) / seconds)) a second")
        #else
        throw UsageError(message: "--writers needs a build with BENCHMARK_POSTGRESQL=1")
        #endif
    }

    private func runSmallSaves(_ count: Int) throws {
        #if BENCHMARK_POSTGRESQL
        try EngineServerWorkload.smallSaves(server: Options.server, count: count).run { name, milliseconds in
            print("engine\t\(name)\t\(Figures.decimal(milliseconds, places: 3))")
        }
        #else
        throw UsageError(message: "--small-saves needs a build with BENCHMARK_POSTGRESQL=1")
        #endif
    }

    private func runRatios() throws -> Bool {
        let implementations = try prepare(bookCount: options.bookCount)
        let names = implementations.map(\.name)
        var holds = true
        if !options.operations.isEmpty {
            let runner = Runner(
                implementations: implementations, bookCount: options.bookCount, runs: options.runs,
                turns: options.turns)
            // A ratio needs the baseline's time.
            let operations = options.operations.filter { implementations.first?.takesPart(in: $0) ?? false }
            let report = RatioReport(
                operations: operations, measured: try runner.measure(operations), names: names,
                level: options.budget)
            print("\(options.bookCount) books; median of \(options.runs) runs, \(options.turns) turns")
            for implementation in implementations { print("\(implementation.name): \(implementation.settings)") }
            print("\n\(report.text(markdown: options.markdown))\n")
            holds = report.failures.isEmpty
        }
        if options.memory {
            let report = try MemoryReport(names: names, bookCount: options.bookCount, folder: folder)
            print(report.text(markdown: options.markdown) + "\n")
            holds = report.holds && holds
        }
        return holds
    }

    private func runScale() throws -> Bool {
        let report = try ScaleReport(
            names: options.implementations, turns: options.turns, runs: options.runs, folder: folder)
        print("median of \(options.runs) runs, \(options.turns) turns\n")
        print(report.text(markdown: options.markdown) + "\n")
        return report.holds
    }

    /// Runs each operation whose name comes in a line, and prints its nanoseconds.
    private func runChildScale() throws {
        guard let implementation = try prepare(bookCount: options.bookCount).first else { return }
        while let name = readLine() {
            let operation = try Options.operation(name)
            let measurement = try implementation.run(operation)
            try check(measurement.result, operation, implementation.name)
            print(Int(measurement.wall * 1e9))
            fflush(nil)
        }
    }

    private func runImportMemory() throws -> Bool {
        let report = try ImportMemoryReport(folder: folder)
        print(report.text(markdown: options.markdown) + "\n")
        return report.holds
    }

    private func runBatches() throws -> Bool {
        for bookCount in BatchMemoryReport.sizes {
            let library = LazyLibrary(bookCount: bookCount)
            Progress.show("building the store of \(bookCount) books")
            try EngineWorkload(folder: folder(bookCount), bookCount: bookCount) { library.value }.buildStore()
        }
        let report = try BatchMemoryReport(folder: folder)
        print(report.text(markdown: options.markdown) + "\n")
        return report.holds
    }

    private func runAccessors() throws {
        var table = Table(["accessor", "ns"])
        for figure in try AccessorFigures(folder: folder.appendingPathComponent("accessors")).figures {
            table.add([figure.name, Figures.decimal(figure.nanoseconds, places: 1)])
        }
        print(table.text(markdown: options.markdown) + "\n")
    }

    private func runKit() throws -> Bool {
        let report = try KitReport(folder: folder.appendingPathComponent("kit"), count: 2000, turns: options.turns)
        print(report.text(markdown: options.markdown) + "\n")
        return report.holds
    }

    private func runSwiftData() throws -> Bool {
        #if BENCHMARK_SWIFTDATA
        let report = try SwiftDataReport(
            folder: folder.appendingPathComponent("swiftdata"), count: options.bookCount)
        print(report.text(markdown: options.markdown) + "\n")
        return report.holds
        #else
        throw UsageError(message: "--swiftdata needs a build with BENCHMARK_SWIFTDATA=1")
        #endif
    }

    /// Prints the bytes that are held with all rows of a store as objects or models.
    private func runChildHold(_ kind: String) throws {
        #if BENCHMARK_SWIFTDATA
        let before = PeakMemory.heldBytes ?? 0
        try SwiftDataFigures.hold(asModels: kind == "models", folder: folder, count: options.bookCount) {
            print((PeakMemory.heldBytes ?? 0) - before)
        }
        #endif
    }

    private func runController() throws {
        var report = ControllerReport()
        for size in ControllerReport.sizes {
            Progress.show("a controller of \(size)")
            report.add(try ControllerFigures(folder: folder.appendingPathComponent("controller-\(size)"), count: size))
        }
        print(report.text(markdown: options.markdown) + "\n")
    }

    /// Makes the implementations and their stores. The data is generated, and its checksum checked, when it is needed.
    private func prepare(bookCount: Int) throws -> [any Implementation] {
        let library = LazyLibrary(bookCount: bookCount)
        let implementations = try make(bookCount: bookCount, library: { library.value })
        for implementation in implementations {
            Progress.show("building the store of \(implementation.name)")
            try implementation.buildStore()
        }
        let isNeeded = options.operations.contains { $0.storeState == .empty || $0 == .saveSmall }
        if isNeeded || library.isMade, let expected = Library.expectedChecksums[bookCount],
            library.value.checksum != expected
        {
            throw WrongData(bookCount: bookCount)
        }
        return implementations
    }

    private func make(bookCount: Int, library: @escaping () -> Library) throws -> [any Implementation] {
        try options.implementations.map { name in
            switch name {
            case "raw":
                try RawWorkload(
                    folder: folder(bookCount), bookCount: bookCount, lookupOrder: options.lookupOrder, library: library)
            case "engine":
                try EngineWorkload(
                    folder: folder(bookCount), bookCount: bookCount, lookupOrder: options.lookupOrder, library: library)
            #if BENCHMARK_PEERS
            case "grdb":
                try GRDBWorkload(folder: folder(bookCount), bookCount: bookCount, library: library)
            #endif
            #if BENCHMARK_POSTGRESQL
            case "raw-postgresql":
                try RawServerWorkload(
                    server: Options.server, bookCount: bookCount, lookupOrder: options.lookupOrder, library: library
                )
            case EngineServerWorkload.name:
                try EngineServerWorkload.make(
                    server: Options.server, bookCount: bookCount, lookupOrder: options.lookupOrder, library: library
                )
            #endif
            default:
                throw UsageError(message: "unknown implementation \(name)")
            }
        }
    }

    private func runChild(_ implementation: String, _ name: String) throws {
        let library = LazyLibrary(bookCount: options.bookCount)
        let sorted = "-sorted"
        if let reading = BatchedReading(rawValue: name.hasSuffix(sorted) ? String(name.dropLast(sorted.count)) : name) {
            let workload = try EngineWorkload(folder: folder(options.bookCount), bookCount: options.bookCount) {
                library.value
            }
            var peak = 0
            let result = try workload.read(reading, isSorted: name.hasSuffix(sorted)) {
                peak = max(peak, PeakMemory.heldBytes ?? 0)
            }
            try check(result, reading == .untouched ? .fetchFaults : .fetchTouch, implementation)
            print(peak)
            return
        }
        let operation = try Options.operation(name)
        let implementations = try make(bookCount: options.bookCount, library: { library.value })
        guard let found = implementations.first(where: { $0.name == implementation }) else {
            throw UsageError(message: "unknown implementation \(implementation)")
        }
        try check(found.run(operation).result, operation, implementation)
        print(PeakMemory.bytes ?? 0)
    }

    private func check(_ result: String, _ operation: Bookshelf.Operation, _ implementation: String) throws {
        guard let expected = operation.expectedResult(bookCount: options.bookCount), expected != result else { return }
        throw WrongResult(operation: operation, implementation: implementation, expected: expected, result: result)
    }

    private func folder(_ bookCount: Int) -> URL {
        folder.appendingPathComponent("\(bookCount)")
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        Progress.show("")
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }
}

/// The generated data, made when first asked for: child processes never ask, so that it is not in their memory.
private final class LazyLibrary {
    private let bookCount: Int
    private(set) lazy var value: Library = {
        isMade = true
        return Library(bookCount: bookCount)
    }()
    private(set) var isMade = false

    init(bookCount: Int) {
        self.bookCount = bookCount
    }
}

/// Generated data that is not the agreed data.
struct WrongData: Error, CustomStringConvertible {
    let bookCount: Int

    var description: String { "the data generated for \(bookCount) books has another checksum than the agreed one" }
}
