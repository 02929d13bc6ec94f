#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore {
    package var waitsForServer: Bool { true }

    package func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        try translatingErrors(NSPersistentStoreSaveError) {
            let runtime = try writableRuntime()
            guard let number = runtime.mapping[root.root]?.number else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError, "The entity \(root.root.name) is not kept in this store.")
            }
            // Keys that are reserved twice are a gap in the numbers.
            return try reconnecting(runtime) {
                try runtime.references.take(count, number: number, runtime: runtime)
            }
        }
    }

    /// How often a save is repeated that failed because of other transactions.
    private static let mostAttempts = 4

    package func execute(_ plan: SavePlan) throws -> SaveOutcome {
        var metadata = pendingMetadata()
        if plan.isEmpty, metadata == nil { return .saved(derived: []) }
        let runtime = try writableRuntime()
        // Tables of others keep no metadata.
        if runtime.schema.isExisting { metadata = nil }
        let outcome = try translatingErrors(NSPersistentStoreSaveError) {
            try carryOut(plan, metadata: metadata?.values, runtime: runtime)
        }
        switch outcome {
        case .saved(let derived, let transaction):
            if let metadata { didWrite(metadata: metadata.generation) }
            if let transaction { feed.didCommit(transaction, isCached: true) }
            return .saved(derived: derived, transaction: transaction)
        case .blocked(let conflicts, let violations):
            runtime.connections.work.addConflict()
            return try .blocked(by: conflicts, violations, in: self)
        }
    }

    /// Runs a transaction, and repeats it after a moment if it failed because of others.
    func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as PostgreSQLError
                where error.isRetryable && attempt < Self.mostAttempts && !isHeldTogether
            {
                (try? runtime())?.connections.work.addRetry()
                Thread.sleep(forTimeInterval: Double.random(in: 0.001...0.01) * Double(attempt * attempt))
                attempt += 1
            }
        }
    }

    /// Whether the thread is in a block of ``savingTogether(_:)``, which can only be repeated as a whole.
    private var isHeldTogether: Bool {
        (try? runtime().connections.with(isWriting: true) { $0.savesTogether }) ?? false
    }
}
#endif
