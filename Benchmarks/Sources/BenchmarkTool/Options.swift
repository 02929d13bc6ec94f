import Bookshelf
import Foundation

/// What the command line asks for.
struct Options {
    var bookCount = 100_000
    var operations = Bookshelf.Operation.allCases
    var runs = 5
    var turns = 3
    var budget = Budget.Level.foundation
    var check = false
    var scale = false
    var memory = false
    var batches = false
    var accessors = false
    var controller = false
    var kit = false
    var swiftData = false
    /// Set in the child processes of `--swiftdata`: whether to hold models or objects.
    var childHold: String?
    var importMemory = false
    /// Set in the child processes of `--import-memory`: how many books to bring in.
    var childImport: Int?
    /// Set in the child processes of `--scale`: to run the operations whose names are read.
    var childScale = false
    /// How many threads save side by side, on a server.
    var writers: Int?
    var writerSeconds = 10
    /// How often each of them saves, in place of a time.
    var writerSaves: Int?
    /// How many small saves of each kind there are, on a server.
    var smallSaves: Int?
    var markdown = false
    var implementations = ["raw"]
    var lookupOrder = LookupOrder.shuffled
    var folder: URL?
    /// Set in the child processes of `--memory`: the implementation and the operation to do once.
    var child: (implementation: String, operation: String)?

    static let usage = """
        usage: benchmark [options]
          --n <books>            number of books (100000)
          --operations <a,b,…>   which operations to time; "none" for none (all)
          --runs <count>         counted runs of each operation in a turn; one more is not counted (5)
          --turns <count>        how often the whole is repeated (3)
          --budget <level>       foundation, complete, goal or postgresql: the column the verdict is about (foundation)
          --check                exit with 1 when a budget does not hold
          --scale                time insert and the fetches at 10,000, 100,000 and 1,000,000 books, each in a process
                                 of its own
          --memory               bytes held for each fetched book, measured in processes of their own
          --batches              peak memory of fetches in batches at 100,000 and 1,000,000 books
          --accessors            nanoseconds for one read or write of a property
          --controller           microseconds for one change in a fetched results controller of 1,000 to 1,000,000
          --kit                  microseconds for a write and a read of one object with the kit, beside a plain context
          --swiftdata            models of SwiftData beside the engine's objects; needs BENCHMARK_SWIFTDATA=1
          --import-memory        memory held by imports of 25,000 to 400,000 books, each in a process of its own
          --writers <count>      saves a second by so many threads on PostgreSQL, for --seconds (10), or so many
                                 --saves each
          --small-saves <count>  milliseconds for a small save of each kind with the kit on PostgreSQL
          --order <order>        shuffled or stride: in which order objects are looked up (shuffled)
          --only <a,b,…>         which implementations to run (all)
          --folder <path>        keep the generated stores there and use them again
          --markdown             print Markdown tables
        """

    /// - Throws: `UsageError` naming the argument that is not understood.
    init(arguments: [String], implementations: [String]) throws {
        self.implementations = implementations
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--n": bookCount = try Self.number(&rest, argument)
            case "--runs": runs = try Self.number(&rest, argument)
            case "--turns": turns = try Self.number(&rest, argument)
            case "--operations": operations = try Self.operations(Self.value(&rest, argument))
            case "--only": self.implementations = try Self.value(&rest, argument).split(separator: ",").map(String.init)
            case "--budget": budget = try Self.level(Self.value(&rest, argument))
            case "--order": lookupOrder = try Self.order(Self.value(&rest, argument))
            case "--folder": folder = URL(fileURLWithPath: try Self.value(&rest, argument))
            case "--check": check = true
            case "--scale": scale = true
            case "--memory": memory = true
            case "--batches": batches = true
            case "--accessors": accessors = true
            case "--controller": controller = true
            case "--kit": kit = true
            case "--swiftdata": swiftData = true
            case "--child-hold": childHold = try Self.value(&rest, argument)
            case "--import-memory": importMemory = true
            case "--writers": writers = try Self.number(&rest, argument)
            case "--seconds": writerSeconds = try Self.number(&rest, argument)
            case "--saves": writerSaves = try Self.number(&rest, argument)
            case "--small-saves": smallSaves = try Self.number(&rest, argument)
            case "--child-scale": childScale = true
            case "--child-import": childImport = try Self.number(&rest, argument)
            case "--markdown": markdown = true
            case "--child": child = try Self.child(Self.value(&rest, argument))
            case "--help", "-h": throw UsageError(message: nil)
            default: throw UsageError(message: "unknown argument \(argument)")
            }
        }
    }

    private static func value(_ rest: inout ArraySlice<String>, _ name: String) throws -> String {
        guard let value = rest.popFirst() else { throw UsageError(message: "\(name) needs a value") }
        return value
    }

    private static func number(_ rest: inout ArraySlice<String>, _ name: String) throws -> Int {
        let string = try value(&rest, name)
        guard let number = Int(string.replacing("_", with: "")), number > 0 else {
            throw UsageError(message: "\(name) needs a number greater than 0, not \(string)")
        }
        return number
    }

    private static func operations(_ string: String) throws -> [Bookshelf.Operation] {
        guard string != "none" else { return [] }
        return try string.split(separator: ",").map(operation)
    }

    private static func level(_ string: String) throws -> Budget.Level {
        guard let level = Budget.Level(rawValue: string) else { throw UsageError(message: "unknown budget \(string)") }
        return level
    }

    private static func order(_ string: String) throws -> LookupOrder {
        guard let order = LookupOrder(rawValue: string) else { throw UsageError(message: "unknown order \(string)") }
        return order
    }

    /// The PostgreSQL server of `Scripts/with-postgres`, or another one.
    static var server: URL {
        get throws {
            guard let url = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"].flatMap(URL.init(string:))
            else { throw UsageError(message: "OPENCOREDATA_POSTGRESQL has no URL: run it by Scripts/with-postgres") }
            return url
        }
    }

    private static func child(_ string: String) throws -> (implementation: String, operation: String) {
        let parts = string.split(separator: ":").map(String.init)
        guard parts.count == 2 else { throw UsageError(message: "--child needs implementation:operation") }
        return (parts[0], parts[1])
    }

    /// The operation with a name.
    static func operation(_ name: some StringProtocol) throws -> Bookshelf.Operation {
        guard let operation = Bookshelf.Operation(rawValue: String(name)) else {
            let known = Bookshelf.Operation.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "unknown operation \(name); there are \(known)")
        }
        return operation
    }
}

/// An argument that is not understood, or (without a message) a wish to see the usage.
struct UsageError: Error {
    let message: String?
}
