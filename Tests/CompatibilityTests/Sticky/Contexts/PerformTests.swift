import Dispatch
import Sticky
import Synchronization
import TestSupport
import Testing

/// Blocks that are given the context.
@Suite struct PerformTests {
    /// A context that others may let go of.
    private final class Watched: Sendable {
        private struct Reference: Sendable { weak var context: NSManagedObjectContext? }
        private let reference = Mutex(Reference())

        func watch(_ context: NSManagedObjectContext) { reference.withLock { $0.context = context } }
        var isGone: Bool { reference.withLock { $0.context == nil } }
    }

    /// What happened, in order.
    private final class Notes: Sendable {
        private let list = Mutex<[String]>([])

        func note(_ event: String) { list.withLock { $0.append(event) } }
        var all: [String] { list.withLock { $0 } }
    }

    // Feature STICKY-12
    @Test func aTemporaryContextLivesUntilTheBlockHasReturned() async throws {
        let provider = try await BookStack().container.start()
        let watched = Watched()
        await withCheckedContinuation { continuation in
            provider.newBackgroundContext().perform { context in
                watched.watch(context)
                try context.create(Book.self).title = "Momo"
                try context.save()
                continuation.resume()
            }
        }
        #expect(try provider.titles == ["Momo"])
        #expect(try await eventually { watched.isGone })
    }

    // Feature STICKY-12
    @Test func theBlockRunsOnTheContextsQueueLater() async throws {
        let provider = try await BookStack().container.start()
        let order = Notes()
        await withCheckedContinuation { continuation in
            let context = provider.newBackgroundContext()
            context.performAndWait { context in
                context.perform { inner in
                    #expect(inner === context && inner.isOnQueue)
                    order.note("block")
                    continuation.resume()
                }
                order.note("caller")
            }
        }
        #expect(order.all == ["caller", "block"])
    }

    // Feature STICKY-12
    @Test func anErrorNobodyWaitsForIsReported() async throws {
        let provider = try await BookStack().container.start()
        let mine = Refusal(reason: UUID().uuidString)
        let reported = await withCheckedContinuation { continuation in
            PersistentContainer.onUnhandledError = { error in
                if error as? Refusal == mine { continuation.resume(returning: error as? Refusal) }
            }
            provider.newBackgroundContext().perform { _ in throw mine }
        }
        #expect(reported == mine && PersistentContainer.onUnhandledError != nil)
        PersistentContainer.onUnhandledError = nil
        // It is logged then.
        await withCheckedContinuation { continuation in
            let context = provider.newBackgroundContext()
            context.perform { _ in throw mine }
            context.perform { _ in continuation.resume() }
        }
    }

    // Feature STICKY-12
    @Test func anAwaitedBlockGivesBackWhatItReturnsOrThrows() async throws {
        let provider = try await BookStack().container.start()
        let title = try await provider.newBackgroundContext().perform { context in
            let book = try context.create(Book.self)
            book.title = "Momo"
            try context.save()
            return book.title
        }
        #expect(title == "Momo")
        await #expect(throws: Refusal()) {
            try await provider.newBackgroundContext().perform { _ in throw Refusal() }
        }
        let number = await provider.newBackgroundContext().perform { _ in 7 }
        #expect(number == 7)
    }

    // Feature STICKY-13
    @Test func waitingGivesBackWhatTheBlockReturns() throws {
        let provider = try BookStack().start()
        try provider.add("Momo", "Emil")
        let titles = try provider.newBackgroundContext().performAndWait { context in
            try context.fetch(Book.self).map(\.title)
        }
        #expect(Set(titles) == ["Momo", "Emil"])
        let isInside = provider.newBackgroundContext().performAndWait { context in context.isOnQueue }
        #expect(isInside)
    }

    // Feature STICKY-13
    @Test func waitingThrowsWhatTheBlockThrows() throws {
        let provider = try BookStack().start()
        let mine = Refusal(reason: UUID().uuidString)
        #expect(throws: mine) { try provider.newBackgroundContext().performAndWait { _ in throw mine } }
    }

    // Feature STICKY-13
    @Test @MainActor func waitingMayBeNested() throws {
        let provider = try BookStack().start()
        let context = provider.newBackgroundContext()
        let count = try context.performAndWait { outer in
            try outer.create(Book.self)
            return try outer.performAndWait { inner in
                try provider.viewContext.performAndWait { _ in
                    try inner.performAndWait { try $0.fetch(Book.self).count }
                }
            }
        }
        #expect(count == 1)
    }
}
