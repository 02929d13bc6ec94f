import CoreData
import Foundation

/// Two contexts that have the same book, with changes of both that meet in `title`.
@MainActor
private struct Meeting {
    let container: NSPersistentContainer
    let book: Book

    /// The other side changes `title` and `pages`, this side `title` and `rating`.
    init(_ policy: NSMergePolicy) throws {
        container = try Library.container()
        book = try Library.fill(container.viewContext)[0]
        container.viewContext.mergePolicy = policy
        _ = book.title
        let (id, other) = (book.objectID, container.newBackgroundContext())
        try other.performAndWait {
            let book = try other.existingObject(with: id) as! Book
            book.title = "theirs"
            book.pages = 500
            try other.save()
        }
        book.title = "mine"
        book.rating = 5
    }

    func result() throws -> [String] {
        try container.viewContext.save()
        let stored = try container.newBackgroundContext().performAndWait { () -> [String] in
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            request.predicate = NSPredicate(
                format: "pages IN {10, 500} AND rating IN {1, 5} AND title IN {'mine', 'theirs'}")
            return try request.execute().map { "\($0.title ?? "") \($0.pages) \($0.rating)" }
        }
        try check(stored == ["\(book.title ?? "") \(book.pages) \(book.rating)"], "\(stored)")
        return stored
    }
}

/// Takes whatever was published last, and says which conflicts there were.
private final class LatestPolicy: NSMergePolicy, @unchecked Sendable {
    private(set) var kinds: [String] = []

    init() { super.init(merge: .mergeByPropertyStoreTrumpMergePolicyType) }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        kinds.append("locking \(list.count)")
        let dates = list.map { ($0.sourceObject as? Book)?.published }
        try super.resolve(optimisticLockingConflicts: list)
        for (conflict, mine) in zip(list, dates) {
            guard let book = conflict.sourceObject as? Book, let mine, let theirs = book.published else { continue }
            book.published = max(mine, theirs)
        }
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        kinds.append("constraint \(list.map { $0.constraint.joined() + " \($0.conflictingObjects.count)" })")
        for conflict in list {
            guard let stored = conflict.databaseObject as? Setting else { continue }
            for case let setting as Setting in conflict.conflictingObjects {
                setting.value = [stored.value, setting.value].compactMap { $0 }.joined(separator: "+")
            }
        }
        try NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType).resolve(constraintConflicts: list)
    }
}

private func setting(_ context: NSManagedObjectContext, _ key: String, _ value: String) {
    let setting = Setting(context: context)
    setting.key = key
    setting.value = value
}

let conflicts: [Idiom] = [
    Idiom("what each merge policy leaves of two changes") {
        try check(Meeting(.mergeByPropertyObjectTrump).result() == ["mine 500 5.0"])
        try check(Meeting(.mergeByPropertyStoreTrump).result() == ["theirs 500 5.0"])
        try check(Meeting(.overwrite).result() == ["mine 10 5.0"])
        try check(Meeting(.rollback).result() == ["theirs 500 1.0"])
    },
    Idiom("the error of a save says what each side has") {
        let meeting = try Meeting(.error)
        let context = meeting.container.viewContext
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as CocoaError {
            try check(error.code.rawValue == NSManagedObjectMergeError)
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            let conflict = try unwrap(conflicts?.first)
            try check(conflict.newVersionNumber > conflict.oldVersionNumber)
            try check(conflict.objectSnapshot?["title"] as? String == "Book 1")
            try check((conflict.cachedSnapshot ?? conflict.persistedSnapshot)?["title"] as? String == "theirs")
            try check(meeting.book.title == "mine" && meeting.book.hasChanges)
            // Resolved by hand, as a dialog would do it.
            try NSMergePolicy.mergeByPropertyStoreTrump.resolve(mergeConflicts: conflicts ?? [])
        }
        try context.save()
        try check(meeting.book.title == "theirs" && meeting.book.rating == 5)
    },
    Idiom("taking the other side's values by a refresh, and saving again") {
        let meeting = try Meeting(.error)
        let context = meeting.container.viewContext
        do { try context.save() } catch let error as NSError {
            for conflict in error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? [] {
                context.refresh(conflict.sourceObject, mergeChanges: true)
            }
        }
        try context.save()
        try check(meeting.book.title == "mine" && meeting.book.pages == 500)
    },
    Idiom("a policy that takes the latest date, and asks both kinds of conflicts") {
        let container = try Library.container()
        let policy = LatestPolicy()
        let context = container.viewContext
        context.mergePolicy = policy
        let books = try Library.fill(context)
        let ids = books.prefix(2).map(\.objectID)
        _ = books.map(\.published)
        let other = container.newBackgroundContext()
        try other.performAndWait {
            for (id, day) in zip(ids, [100.0, 300]) {
                (other.object(with: id) as! Book).published = Date(timeIntervalSinceReferenceDate: day)
            }
            setting(other, "theme", "dark")
            try other.save()
        }
        for book in books.prefix(2) { book.published = Date(timeIntervalSinceReferenceDate: 200) }
        setting(context, "theme", "light")
        try context.save()
        try check(
            policy.kinds.contains("locking 2") && policy.kinds.contains("constraint [\"key 1\"]"), "\(policy.kinds)")
        try check(books.prefix(2).map { $0.published?.timeIntervalSinceReferenceDate } == [200, 300])
        let settings = try context.fetch(Setting.fetchRequest()) as [Setting]
        try check(settings.map(\.value) == ["dark+light"], "\(settings.map(\.value))")
    },
    Idiom("a uniqueness conflict among new objects names them all") {
        let context = try Library.container().viewContext
        for value in ["1", "2", "3"] { setting(context, "theme", value) }
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError where error.code == NSManagedObjectConstraintMergeError {
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
            let conflict = try unwrap(conflicts?.first)
            try check(conflicts?.count == 1 && conflict.constraint == ["key"] && conflict.databaseObject == nil)
            try check(conflict.conflictingObjects.count == 3 && conflict.constraintValues["key"] as? String == "theme")
        }
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        try check(context.count(for: Setting.fetchRequest()) == 1)
    },
    Idiom("an edit of what another side deleted") {
        let container = try Library.container()
        let context = container.viewContext
        let books = try Library.fill(context)
        let ids = books.map(\.objectID)
        _ = books[0].title
        let other = container.newBackgroundContext()
        try other.performAndWait {
            other.delete(other.object(with: ids[0]))
            try other.save()
        }
        books[0].title = "mine"
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(error.code == NSManagedObjectMergeError, "\(error)")
            let conflict = (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first
            try check(conflict?.newVersionNumber == 0 && conflict?.sourceObject === books[0])
        }
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try context.save()
        try check(context.count(for: Book.fetchRequest()) == 11 && !context.hasChanges)
    },
    Idiom("constants of policies, and what is compared with them") {
        let context = try Library.container().viewContext
        try check((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try check((context.mergePolicy as AnyObject) === NSMergePolicy.mergeByPropertyObjectTrump)
        context.mergePolicy = NSOverwriteMergePolicy
        try check((context.mergePolicy as? NSMergePolicy)?.mergeType == .overwriteMergePolicyType)
    },
]
