import BNRCoreDataStack
import TestSupport
import Testing

/// More contexts that save at the same time than Dispatch has threads.
@MainActor struct ManySavesTests {
    @Test(arguments: StoreKind.allCases, [false, true])
    func allReachTheStore(_ kind: StoreKind, _ toStore: Bool) async throws {
        let library = try await LibraryStack(kind)
        let workers = (0..<300).map { _ in library.stack.newBackgroundWorkerMOC() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, worker) in workers.enumerated() {
                group.addTask {
                    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                        worker.perform {
                            Book(managedObjectContext: worker).title = "\(number)"
                            let finish: CoreDataStack.SaveCallback = { continuation.resume(with: $0) }
                            if toStore { worker.saveContextToStore(finish) } else { worker.saveContext(finish) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await library.settle()
        #expect(try await LibraryStack.titles(library.persisting).count == 300)
        #expect(library.errors.all.isEmpty)
    }

    /// Each waits for its save on a thread of its own.
    @Test func waitingForThemEndsToo() async throws {
        let library = try await LibraryStack()
        let stack = library.stack
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let group = DispatchGroup()
            for number in 0..<300 {
                let thread = Thread {
                    let worker = stack.newBackgroundWorkerMOC()
                    worker.performAndWait { Book(managedObjectContext: worker).title = "\(number)" }
                    try? worker.saveContextToStoreAndWait()
                    group.leave()
                }
                group.enter()
                thread.start()
            }
            group.notify(queue: .main) { continuation.resume() }
        }
        #expect(try library.booksInFile == 300)
        #expect(library.errors.all.isEmpty)
    }
}
