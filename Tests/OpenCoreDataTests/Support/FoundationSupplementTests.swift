import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What Foundation has on Apple's systems only, and ported programs use.
@Suite struct FoundationSupplementTests {
    @Test func aPoolReturnsWhatItsBlockReturnsAndThrows() throws {
        #expect(autoreleasepool { 3 } == 3)
        #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
        let values = [1, 2].map { value in autoreleasepool { value * 2 } }
        #expect(values == [2, 4])
    }

    @Test func keyPathsHaveNames() {
        #expect((\Book.title)._kvcKeyPathString == "title")
        #expect((\Book.author?.name as AnyKeyPath)._kvcKeyPathString == "author.name")
        #expect((\Book.title)._kvcKeyPathString == NSExpression(forKeyPath: \Book.title).keyPath)
        #expect((\String.count)._kvcKeyPathString == nil)
    }

    @Test func notificationsArriveInTheOrderInWhichTheyArePosted() async throws {
        let (center, sender) = (NotificationCenter(), NSObject())
        let name = Notification.Name("FoundationSupplementTests")
        let all = center.notifications(named: name).makeAsyncIterator()
        let ofSender = center.notifications(named: name, object: sender).makeAsyncIterator()
        center.post(name: Notification.Name("Other"), object: sender)
        for number in 1...3 {
            center.post(name: name, object: number == 2 ? nil : sender, userInfo: ["number": number])
        }
        #expect(await Self.numbers(all, 3) == [1, 2, 3])
        #expect(await Self.numbers(ofSender, 2) == [1, 3])
    }

    private static func numbers(_ iterator: NotificationCenter.Notifications.Iterator, _ count: Int) async -> [Int] {
        var (iterator, result) = (iterator, [Int]())
        while result.count < count, let notification = await iterator.next() {
            if let number = notification.userInfo?["number"] as? Int { result.append(number) }
        }
        return result
    }

    @MainActor @Test func aLoopOverNotificationsEndsWithItsTask() async throws {
        let center = NotificationCenter()
        let name = Notification.Name("FoundationSupplementTests.loop")
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for await notification in center.notifications(named: name) {
                #expect(notification.name == name)
                count += 1
                continuation.yield()
            }
            return count
        }
        // The loop begins to observe when its task runs.
        let poster = Task {
            while !Task.isCancelled {
                center.post(name: name, object: nil)
                await Task.yield()
            }
        }
        for await _ in started { break }
        task.cancel()
        #expect(await task.value >= 1)
        poster.cancel()
    }

    @Test func savesAreFollowedByNotifications() async throws {
        let stack = try TestStack()
        let context = stack.context()
        let saves = NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context)
        var iterator = saves.makeAsyncIterator()
        try await context.perform {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            try context.save()
        }
        let saved = await iterator.next()
        #expect((saved?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count == 1)
    }
}
