#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Diary {
    @Model final class Entry {
        @Attribute(.preserveValueOnDeletion) var title: String
        @Attribute(.preserveValueOnDeletion) var number: Int
        var text: String = ""
        init(title: String, number: Int) {
            self.title = title
            self.number = number
        }
    }

    @Model class Animal {
        @Attribute(.preserveValueOnDeletion) var tag: String
        init(tag: String) { self.tag = tag }
    }

    @Model final class Dog: Animal {
        @Attribute(.preserveValueOnDeletion) var breed: String = ""
        init(tag: String, breed: String) {
            super.init(tag: tag)
            self.breed = breed
        }
    }
}

/// The history of a store, as programs read and trim it.
struct HistoryTests {
    private typealias Transaction = DefaultHistoryTransaction
    private typealias Entry = Diary.Entry

    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file("diary.store"))
        context = ModelContext(try ModelContainer(for: Diary.Entry.self, configurations: configuration))
    }

    private func save(_ author: String?, _ work: () throws -> Void) throws {
        context.author = author
        try work()
        try context.save()
    }

    private func history(_ predicate: Predicate<Transaction>? = nil) throws -> [Transaction] {
        try context.fetchHistory(HistoryDescriptor<Transaction>(predicate: predicate))
    }

    private func fill() throws -> Entry {
        let entry = Entry(title: "Rome", number: 7)
        try save("app") { context.insert(entry) }
        try save("widget") { entry.text = "sunny" }
        try save("app") { context.delete(entry) }
        return entry
    }

    @Test func changesHaveWhatASuperclassDeclares() throws {
        let configuration = ModelConfiguration(url: folder.file("animals.store"))
        let context = ModelContext(
            try ModelContainer(for: Diary.Animal.self, Diary.Dog.self, configurations: configuration))
        let dog = Diary.Dog(tag: "A7", breed: "Collie")
        context.insert(dog)
        try context.save()
        (dog.tag, dog.breed) = ("B8", "Poodle")
        try context.save()
        context.delete(dog)
        try context.save()
        let changes = try context.fetchHistory(HistoryDescriptor<Transaction>()).flatMap(\.changes)
        guard changes.count == 3, case .update(let update as DefaultHistoryUpdate<Diary.Dog>) = changes[1],
            case .delete(let change as DefaultHistoryDelete<Diary.Dog>) = changes[2]
        else {
            Issue.record("The changes are of other kinds: \(changes)")
            return
        }
        #expect(Set(update.updatedAttributes) == [\Diary.Dog.tag, \Diary.Dog.breed])
        #expect(Set(change.tombstone.map(\.key)) == [\Diary.Dog.tag, \Diary.Dog.breed])
        #expect(change.tombstone[\.breed] as? String == "Poodle")
        #expect(change.tombstone[\.tag] as? String == "B8")
    }

    @Test func transactionsSayWhatChangedAndWhoSaved() throws {
        let entry = Entry(title: "Rome", number: 7)
        try save("app") { context.insert(entry) }
        let id = entry.persistentModelID
        try save("widget") { entry.text = "sunny" }
        try save(nil) { context.delete(entry) }
        let all = try history()
        #expect(all.map(\.author) == ["app", "widget", nil])
        #expect(all.map(\.changes.count) == [1, 1, 1])
        #expect(all.allSatisfy { $0.changes[0].changedPersistentIdentifier == id })
        #expect(Set(all.map(\.storeIdentifier)) == [id.storeIdentifier])
        guard case .insert(let insert as DefaultHistoryInsert<Entry>) = all[0].changes[0],
            case .update(let update as DefaultHistoryUpdate<Entry>) = all[1].changes[0],
            case .delete(let delete as DefaultHistoryDelete<Entry>) = all[2].changes[0]
        else {
            Issue.record("The changes are of other kinds: \(all)")
            return
        }
        #expect(insert.transactionIdentifier == all[0].transactionIdentifier)
        #expect(update.updatedAttributes.contains { $0 == \Entry.text })
        #expect(!update.updatedAttributes.contains { $0 == \Entry.title })
        #expect(delete.tombstone[\.title] as? String == "Rome")
        #expect(delete.tombstone[\.number] as? Int == 7)
        #expect(delete.tombstone[\.text] == nil)
        #expect(Set(delete.tombstone.map(\.key)) == [\Entry.title, \Entry.number])
    }

    @Test func conditionsLimitsAndOrderChooseTransactions() throws {
        _ = try fill()
        let all = try history()
        let token = all[0].token
        #expect(try history(#Predicate { $0.token > token }).map(\.author) == ["widget", "app"])
        #expect(try history(#Predicate { $0.token > token && $0.author == "app" }).count == 1)
        #expect(try history(#Predicate { $0.author == "widget" || $0.author == nil }).count == 1)
        var descriptor = HistoryDescriptor<Transaction>()
        descriptor.fetchLimit = 2
        #expect(try context.fetchHistory(descriptor).map(\.token) == all.prefix(2).map(\.token))
        descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
        #expect(try context.fetchHistory(descriptor).map(\.author) == ["app", "widget"])
    }

    @Test func tokensAreComparedAndCoded() throws {
        _ = try fill()
        let tokens = try history().map(\.token)
        #expect(tokens[0] < tokens[1] && tokens[1] < tokens[2])
        #expect(tokens.max() == tokens[2])
        let decoded = try JSONDecoder().decode(
            DefaultHistoryToken.self, from: try JSONEncoder().encode(tokens[1]))
        #expect(decoded == tokens[1])
        #expect(try history(#Predicate { $0.token > decoded }).count == 1)
    }

    @Test func oneAuthorsTransactionsAreDeletedAndTheOthersStay() throws {
        _ = try fill()
        let last = try history().last
        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == "app" }))
        #expect(try history().map(\.author) == ["widget"])
        #expect(try history()[0].changes.count == 1)
        try context.deleteHistory(HistoryDescriptor<Transaction>())
        #expect(try history().isEmpty)
        try save("app") { context.insert(Entry(title: "Oslo", number: 1)) }
        let token = try #require(last?.token)
        #expect(try history(#Predicate { $0.token > token }).count == 1)
    }

    @Test func aTokenWhoseSuccessorsWereDeletedHasExpired() throws {
        _ = try fill()
        let token = try history()[0].token
        let border = try history()[2].token
        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token < border }))
        #expect(throws: SwiftDataError.historyTokenExpired) {
            try history(#Predicate { $0.token > token })
        }
    }

    @Test func anotherContainerOfTheStoreReadsTheHistory() throws {
        _ = try fill()
        let other = ModelContext(
            try ModelContainer(
                for: Entry.self, configurations: ModelConfiguration(url: folder.file("diary.store"))))
        #expect(try other.fetchHistory(HistoryDescriptor<Transaction>()).count == 3)
    }
}
#endif
