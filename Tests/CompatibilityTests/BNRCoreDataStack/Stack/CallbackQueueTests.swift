import BNRCoreDataStack
import TestSupport
import Testing

/// Where callbacks are called.
@Suite struct CallbackQueueTests {
    /// The queues that a callback may find itself on.
    private let main = QueueMark(.main)
    private let own = QueueMark()

    /// What to ask for, and whether the callback is then on the main queue, and on the suite's own.
    private var queues: [(DispatchQueue?, [Bool])] {
        [(own.queue, [false, true]), (.main, [true, false]), (nil, [false, false])]
    }

    // Feature BNR-2
    @Test(arguments: [true, false]) func aSetUpCallsBackOnTheQueueThatIsGiven(succeeds: Bool) async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("File"))
        let file = folder.file(succeeds ? "Library.sqlite" : "File/Library.sqlite")
        for (queue, expected) in queues {
            let found = await calledQueues { [main, own] called in
                CoreDataStack.constructSQLiteStack(model: LibraryModel.make(), at: file, on: queue) { result in
                    if case .success = result { #expect(succeeds) } else { #expect(!succeeds) }
                    called(main.isCurrent, own.isCurrent)
                }
            }
            #expect(found == expected)
        }
    }

    // Feature BNR-2
    @Test(arguments: StoreKind.allCases) func aResetCallsBackOnTheQueueThatIsGiven(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        for (queue, expected) in queues {
            let found = await calledQueues { [main, own] called in
                library.stack.resetStore(on: queue) { _ in called(main.isCurrent, own.isCurrent) }
            }
            #expect(found == expected)
        }
        let found = await calledQueues { [main, own] called in
            library.stack.resetSQLiteStore { _ in called(main.isCurrent, own.isCurrent) }
        }
        #expect(found == [false, false])
    }

    // Feature BNR-2
    @Test(arguments: StoreKind.allCases) func aBatchContextComesOnTheQueueThatIsGiven(_ kind: StoreKind) async throws {
        let library = try await LibraryStack(kind)
        for (queue, expected) in queues {
            let found = await calledQueues { [main, own] called in
                library.stack.newBatchOperationContext(on: queue) { _ in called(main.isCurrent, own.isCurrent) }
            }
            #expect(found == expected)
        }
    }

    /// Whether a callback came on the main queue, and whether on the suite's own.
    private func calledQueues(
        _ begin: (@escaping @Sendable (_ isMain: Bool, _ isOwn: Bool) -> Void) -> Void
    ) async -> [Bool] {
        await withCheckedContinuation { continuation in
            begin { continuation.resume(returning: [$0, $1]) }
        }
    }
}
