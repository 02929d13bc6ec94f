import OpenCoreDataKit
import TestSupport
import Testing

/// A store with the model of towns, on disk or in memory, with a record of its statements.
struct TownStack {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    let stack: TestStack
    let log = StatementLog()

    init(_ type: String = NSSQLiteStoreType) throws {
        stack = try TestStack(model: TownModel.make(), type: type, options: log.options)
        log.clear()
    }

    func context() -> Context { stack.context() }

    /// Runs a block on a new context's queue.
    func inContext<R>(_ block: (Context) throws -> R) rethrows -> R { try stack.inContext(block) }

    /// Ten residents of two towns, saved: codes and ages 1 to 10, names `r1` to `r10`, odd ones in Odd.
    func fill() throws {
        try inContext { context in
            let towns = try ["Even", "Odd"].map { name in
                let town = try context.create(Town.self)
                town.name = name
                return town
            }
            for number in 1...10 {
                let resident = try context.create(Resident.self)
                resident.code = Int64(number)
                resident.age = Int32(number)
                resident.name = "r\(number)"
                resident.town = towns[number % 2]
            }
            try context.save()
        }
        log.clear()
    }
}

/// Whether a closure throws the error of the kit that another closure recognizes.
func expectError(
    _ fits: (DatabaseError) -> Bool, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Void
) {
    do {
        try work()
        Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
    } catch let error as DatabaseError {
        #expect(fits(error), "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record("Not an error of the kit: \(error)", sourceLocation: sourceLocation)
    }
}

extension DatabaseError {
    /// The sentence of an impossible query; `nil` for other errors.
    var queryReason: String? { if case .invalidQuery(_, let reason) = self { reason } else { nil } }
}
