import OpenCoreDataKit
import Synchronization

/// Other work on a database, on several threads, while a test walks its time line: readers, drafts that are given up,
/// and, if wanted, writes of rows that nothing else touches.
final class Load: Sendable {
    /// What one of the workers does again and again.
    typealias Work = @Sendable (Village, Int) async throws -> Void

    private let streams: [AsyncStream<Int>.Continuation]
    private let tasks: [Task<Void, any Error>]

    init(_ village: Village, _ works: [Work]) {
        var streams: [AsyncStream<Int>.Continuation] = []
        var tasks: [Task<Void, any Error>] = []
        for work in works {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            streams.append(continuation)
            tasks.append(Task { for await round in stream { try await work(village, round) } })
        }
        self.streams = streams
        self.tasks = tasks
    }

    /// Lets every worker that is not busy work once more, in one of four rounds.
    func go(_ round: Int) {
        guard round.isMultiple(of: 4) else { return }
        for stream in streams { stream.yield(round) }
    }

    /// Waits for the workers' end.
    ///
    /// - Throws: The first error that one of them met.
    func stop() async throws {
        for stream in streams { stream.finish() }
        for task in tasks { try await task.value }
    }

    /// Reads the stores.
    static let reader: Work = { village, _ in
        _ = try await village.database.read { try $0.villagers().map(\.age).reduce(0, +) }
    }

    /// Reads the stores and blocks its thread.
    static let blockingReader: Work = { village, _ in
        let context = village.database.context()
        _ = try context.performAndWait { try context.villagerNames().count }
    }

    /// Changes everything and gives up.
    static let dreamer: Work = { village, round in
        let draft = village.database.draft()
        try await draft.perform { context in
            for villager in try context.villagers() { villager.age = Int64(-round) - 1_000_000 }
            context.addVillager("Dream")
        }
        await draft.discard()
    }

    /// Commits changes of a row of its own.
    static func writer(_ name: String) -> Work {
        { village, round in
            try await village.database.write { context in
                let row = try context.villager(name) ?? context.addVillager(name)
                row.age = Int64(round)
            }
        }
    }
}

/// How often a context posted a notification, since it was asked last.
final class NoticeCount: Sendable {
    private final class Box: Sendable { let count = Mutex(0) }

    private let box: Box
    private let observer: NoticeObserver

    init(_ name: Notification.Name, of object: AnyObject) {
        let box = Box()
        self.box = box
        observer = NoticeObserver(name, of: object) { _ in box.count.withLock { $0 += 1 } }
    }

    func take() -> Int {
        box.count.withLock { count in
            defer { count = 0 }
            return count
        }
    }
}
