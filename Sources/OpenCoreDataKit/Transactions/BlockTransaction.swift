import CoreDataPlatform

/// One run of a block that changes the stores, with a context of its own, on the context's queue.
struct BlockTransaction {
    /// An error, and whether the block should be run again.
    struct Failure: Error {
        let error: any Error
        let isConflict: Bool
    }

    let context: NSManagedObjectContext
    let cancellation: CancellationFlag
    /// Whether others may write at the same time, in stores that can do so.
    var runsBesideOthers = false
    var didSave: ((TransactionChanges) -> Void)?

    /// Runs the block and saves what it changed.
    ///
    /// - Throws: ``Failure``: nothing was changed.
    func run(_ body: (Context) throws -> Void) throws -> TransactionChanges {
        // Errors of the block arrive as they were thrown.
        var thrown: (any Error)?
        var raw: (any Error)?
        do {
            return try cancellation.stoppingUntilCommitted {
                try context.transaction(besideOthers: runsBesideOthers, didSave: didSave) {
                    do { try cancellation.stopping { try body(context) } } catch {
                        thrown = error
                        throw error
                    }
                    guard context.hasChanges else { return }
                    if failsWithConflicts { context.endTransactionWithNextSave() }
                    do { try context.save() } catch {
                        raw = error
                        // The objects that it is about are the context's, which is going to be reset.
                        throw DatabaseError.saving(error)
                    }
                }
            }
        } catch {
            if thrown == nil, cancellation.isCause(of: raw ?? error) {
                throw Failure(error: CancellationError(), isConflict: false)
            }
            if let thrown { throw Failure(error: thrown, isConflict: Self.isConflict(thrown)) }
            if let raw { throw Failure(error: error, isConflict: Self.isConflict(raw)) }
            throw Failure(error: DatabaseError.saving(error), isConflict: isPassing(error))
        }
    }

    /// Whether a save with conflicts fails; another policy settles them, and the save is tried once more.
    private var failsWithConflicts: Bool {
        guard let policy = context.mergePolicy as? NSMergePolicy, type(of: policy) == NSMergePolicy.self else {
            return false
        }
        return policy.mergeType == .errorMergePolicyType
    }

    /// Whether an error is a conflict with another writer. A duplicate unique key isn't one, because it would be the
    /// same the next time.
    private static func isConflict(_ error: any Error) -> Bool {
        if case .conflict(let conflicts)? = error as? DatabaseError {
            return conflicts.allSatisfy { $0.kind != .taken }
        }
        guard let cocoa = error as? CocoaError else { return isPassing(error) }
        switch cocoa.code.rawValue {
        case NSManagedObjectMergeError, NSPersistentStoreSaveConflictsError: return true
        default: return isPassing(error)
        }
    }
}
