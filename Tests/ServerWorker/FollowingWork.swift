#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization

/// Follows a store's history as the notifications of others' changes say, and saves when it is asked to.
///
/// Says `ready NUMBER`; takes the lines `save COUNT` or `save-seconds COUNT`, answered by `saved COUNT`, and `end
/// NUMBER`, answered by `seen COUNT` when everything up to that transaction was seen; the numbers are then in the
/// file.
final class FollowingWork: Sendable {
    private struct Seen {
        var token: NSPersistentHistoryToken?
        var numbers: [Int64] = []
    }

    private let coordinator: NSPersistentStoreCoordinator
    private let prefix: String
    private let file: URL
    private let reading: NSManagedObjectContext
    private let seen = Mutex(Seen())

    init(coordinator: NSPersistentStoreCoordinator, prefix: String, file: URL) throws {
        self.coordinator = coordinator
        self.prefix = prefix
        self.file = file
        reading = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reading.persistentStoreCoordinator = coordinator
    }

    func run() throws {
        let start = coordinator.currentPersistentHistoryToken(fromStores: nil)
        seen.withLock { $0.token = start }
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [self] _ in reading.perform { self.follow() } }
        defer { NotificationCenter.default.removeObserver(observer) }
        Line.write("ready \(start?.transactionByStore.values.first ?? 0)")
        while let line = readLine() {
            let parts = line.split(separator: " ").map(String.init)
            guard parts.count == 2, let number = Int64(parts[1]) else { continue }
            switch parts[0] {
            case "save":
                for index in 0..<number { save(index) }
                Line.write("saved \(number)")
            case "save-seconds":
                let end = ContinuousClock.now.advanced(by: .seconds(number))
                var index: Int64 = 0
                while ContinuousClock.now < end {
                    save(index)
                    index += 1
                }
                Line.write("saved \(index)")
            case "end": return try finish(number)
            default: continue
            }
        }
    }

    private func save(_ index: Int64) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue("\(prefix)-\(index)", forKey: "name")
            do { try context.save() } catch { Line.write("! \(prefix): \(error)") }
        }
    }

    /// Reads what is new, as a program does that was notified.
    private func follow() {
        do {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: seen.withLock { $0.token })
            let result = try reading.execute(request) as? NSPersistentHistoryResult
            for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
                if transaction.changes?.count != 1 {
                    Line.write("! \(prefix): \(transaction.changes?.count ?? 0) changes in one transaction")
                }
                seen.withLock { seen in
                    seen.numbers.append(transaction.transactionNumber)
                    seen.token = transaction.token
                }
            }
        } catch {
            Line.write("! \(prefix): \(error)")
        }
    }

    /// Waits for a transaction to be seen, by notifications alone, as long as something is seen within a minute.
    private func finish(_ number: Int64) throws {
        var count = 0
        var end = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < end {
            let (last, now) = seen.withLock { ($0.numbers.last ?? 0, $0.numbers.count) }
            if last >= number { break }
            if now > count { (count, end) = (now, .now.advanced(by: .seconds(60))) }
            usleep(5_000)
        }
        let numbers = seen.withLock { $0.numbers }
        try numbers.withUnsafeBytes { Data($0) }.write(to: file)
        Line.write("seen \(numbers.count)")
    }
}
#endif
