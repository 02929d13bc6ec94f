#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL

/// Saves authors with two books each until the process is killed, and says what became of each: `+ NAME` when a save was
/// acknowledged, `- KIND` when one was refused, `? NAME` if that is unknown, `! …` for what must not happen.
struct SavingWork: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let prefix: String
    /// How large a value each book has.
    let coverBytes: Int

    func run(threads: Int) {
        for thread in 1..<max(1, threads) { Thread { save(as: "\(prefix)-\(thread)") }.start() }
        save(as: "\(prefix)-0")
    }

    private func save(as name: String) {
        for number in 0... { save("\(name)-\(number)") }
    }

    private func save(_ name: String) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(name, forKey: "name")
            for number in 0..<2 {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("\(name) \(number)", forKey: "title")
                if coverBytes > 0 {
                    let cover = (0..<coverBytes / 8).flatMap { _ in
                        withUnsafeBytes(of: UInt64.random(in: 0...UInt64.max)) { Array($0) }
                    }
                    book.setValue(Data(cover), forKey: "cover")
                }
                book.setValue(author, forKey: "author")
            }
            while !isSettled(name, context) { usleep(10_000) }
        }
    }

    /// Saves a context, the same one again after each refusal.
    private func isSettled(_ name: String, _ context: NSManagedObjectContext) -> Bool {
        do {
            try context.save()
            Line.write("+ \(name)")
            return true
        } catch let error as CocoaError {
            guard let cause = error.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError else {
                Line.write("! \(name): \(error)")
                return true
            }
            if cause.kind == .commitUnknown {
                Line.write("? \(name)")
                return true
            }
            Line.write("- \(cause.kind.rawValue)")
            if !context.hasChanges || context.insertedObjects.count != 3 {
                Line.write("! \(name): the changes are gone after \(cause)")
                return true
            }
            return false
        } catch {
            Line.write("! \(name): \(error)")
            return true
        }
    }
}
#endif
