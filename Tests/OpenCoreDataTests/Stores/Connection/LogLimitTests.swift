import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A bound on the write-ahead log, with readers that keep it from being emptied.
@Suite struct LogLimitTests {
    private static let limit = 400_000

    private func stack(_ options: [AnyHashable: Any] = [:]) throws -> TestStack {
        try TestStack(options: [OpenCoreDataLargestLogOption: Self.limit].merging(options) { $1 })
    }

    private func statistics(_ stack: TestStack) throws -> StoreStatistics {
        try #require(stack.coordinator.statistics(for: stack.coordinator.persistentStores[0]))
    }

    /// Writes some hundred kilobytes in a few transactions.
    private func write(_ stack: TestStack, rounds: Int = 12) throws {
        try stack.inContext { context in
            for _ in 0..<rounds {
                for _ in 0..<10 {
                    Book(context: context).title = String(repeating: "x", count: 8_000)
                }
                try context.save()
            }
        }
    }

    private func pinned(_ stack: TestStack) throws -> NSManagedObjectContext {
        let context = stack.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try count(context) == 0)
        }
        return context
    }

    private func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.count(for: NSFetchRequest<Book>(entityName: "Book"))
    }

    @Test func aPinnedGenerationIsWarnedOfOnceAndGoesOnReading() throws {
        let stack = try stack()
        let context = try pinned(stack)
        try write(stack)
        let during = try statistics(stack)
        #expect(during.isLogTooLong)
        #expect(during.logWarnings == 1)
        #expect(during.pinnedGenerations == 1)
        #expect(during.oldestGenerationAge ?? -1 >= 0)
        #expect(during.logBytes > Int64(Self.limit))
        #expect(during.endedGenerations == 0 && during.refusedWrites == 0)
        #expect(try context.performAndWait { try count(context) } == 0)

        // When the generation goes, the log is emptied by the next write that looks.
        try context.performAndWait { try context.setQueryGenerationFrom(nil) }
        Thread.sleep(forTimeInterval: 1.1)
        try write(stack, rounds: 1)
        let after = try statistics(stack)
        #expect(!after.isLogTooLong)
        #expect(after.pinnedGenerations == 0)
        #expect(after.logBytes < Int64(Self.limit))
        #expect(after.logWarnings == 1)
    }

    @Test func shortReadsMakeNoWarningAndTheLogStaysShort() throws {
        let stack = try stack()
        let reader = Repetition { _ in
            _ = try stack.inContext { try $0.count(for: NSFetchRequest<Book>(entityName: "Book")) }
        }
        for _ in 0..<5 {
            try write(stack)
            Thread.sleep(forTimeInterval: 0.3)
        }
        #expect(reader.stop() == [])
        #expect(try statistics(stack).logWarnings == 0)
        #expect(try statistics(stack).logBytes < Int64(4 * Self.limit))
    }

    @Test func anOldGenerationIsEndedWithAnErrorThatSaysSo() throws {
        let stack = try stack([OpenCoreDataGenerationLifetimeOption: 4])
        let context = try pinned(stack)
        let token = try #require(context.performAndWait { context.queryGenerationToken })
        Thread.sleep(forTimeInterval: 4.1)
        let young = try pinned(stack)
        try write(stack)
        #expect(try statistics(stack).endedGenerations == 1)
        #expect(try statistics(stack).pinnedGenerations == 1)
        try context.performAndWait {
            let error = try #require(throws: CocoaError.self) { try count(context) }
            #expect(error.code.rawValue == NSPersistentStoreOperationError)
            #expect(error.localizedDescription.contains("query generation"))
            #expect(error.localizedDescription.contains("Library.sqlite"))
            // No context can be pinned to it any more, but to the current one.
            #expect(throws: CocoaError.self) { try context.setQueryGenerationFrom(token) }
            try context.setQueryGenerationFrom(.current)
            #expect(try count(context) == 120)
        }
        // A younger one is left alone.
        #expect(try young.performAndWait { try count(young) } == 0)
    }

    @Test func aGenerationThatIsBeingReadEndsWhenTheReadIsDone() throws {
        let stack = try stack([OpenCoreDataGenerationLifetimeOption: 0.001])
        let store = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
        let snapshot = try #require(try store.pinGeneration())
        let counted = try snapshot.reading {
            Thread.sleep(forTimeInterval: 0.01)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                try? write(stack)
                done.signal()
            }
            done.wait()
            return try store.runtimePool().read { try $0.firstValue("SELECT count(*) FROM ZBOOK") }
        }
        #expect(counted == .integer(0))
        #expect(snapshot.isOver)
        #expect(throws: CocoaError.self) { try snapshot.reading {} }
    }

    @Test func writesAreRefusedWhileTheLogIsTooLongIfThatIsWanted() throws {
        let stack = try stack([OpenCoreDataRefusesWritesOption: true])
        let context = try pinned(stack)
        try stack.inContext { writer in
            var refused: CocoaError?
            for _ in 0..<40 where refused == nil {
                for _ in 0..<10 { Book(context: writer).title = String(repeating: "x", count: 8_000) }
                do { try writer.save() } catch let error as CocoaError { refused = error }
            }
            let error = try #require(refused)
            #expect(error.code.rawValue == NSPersistentStoreSaveError)
            #expect(error.localizedDescription.contains("1 pinned query generation"))
            #expect(try statistics(stack).refusedWrites == 1)
            #expect(writer.insertedObjects.count == 10)
            // The same save succeeds when the reader is done.
            try context.performAndWait { try context.setQueryGenerationFrom(nil) }
            try writer.save()
            #expect(!writer.hasChanges)
            #expect(try statistics(stack).isLogTooLong == false)
        }
    }

    @Test(.enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
    func anotherProcessThatReadsIsNoticed() throws {
        let stack = try stack()
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = ["sqlite3", stack.url.path]
        let (input, output) = (Pipe(), Pipe())
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        input.fileHandleForWriting.write(Data("BEGIN; SELECT count(*) FROM ZBOOK;\n".utf8))
        _ = output.fileHandleForReading.availableData
        try write(stack)
        #expect(try statistics(stack).isLogTooLong)
        #expect(try statistics(stack).logWarnings == 1)
        #expect(try statistics(stack).pinnedGenerations == 0)
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
    }

    @Test func withoutALimitNothingIsCounted() throws {
        let stack = try TestStack(options: [OpenCoreDataLargestLogOption: 0])
        let context = try pinned(stack)
        try write(stack)
        #expect(try statistics(stack).logWarnings == 0)
        #expect(try context.performAndWait { try count(context) } == 0)
    }
}
