#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Errands {
    @Model final class Errand {
        var title: String
        @Attribute(.ephemeral) var isMarked: Bool = false
        init(title: String, isMarked: Bool = false) {
            self.title = title
            self.isMarked = isMarked
        }
    }
}

/// Observers after a store has refused a condition, or has no longer the history that they know.
@MainActor
struct ObserverFailureTests {
    private typealias Errand = Errands.Errand

    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Errand.self, configurations: ModelConfiguration(url: folder.file("errands.store")))
    }

    private func save(_ title: String, author: String? = nil) throws {
        let context = ModelContext(container)
        context.author = author
        context.insert(Errand(title: title))
        try context.save()
    }

    private func deleteHistory() throws {
        try ModelContext(container).deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }

    @Test func aConditionThatTheStoreRefusesIsFollowedInMemory() throws {
        let context = ModelContext(container)
        let (bread, milk) = (Errand(title: "bread", isMarked: true), Errand(title: "milk"))
        context.insert(bread)
        context.insert(milk)
        try context.save()
        let marked = FetchDescriptor<Errand>(predicate: #Predicate { $0.isMarked }, sortBy: [SortDescriptor(\.title)])
        let observer = ResultsObserver(fetchDescriptor: marked, modelContext: context)
        #expect(observer.fetchError == nil)
        #expect(observer.elements.map(\.title) == ["bread"])
        milk.isMarked = true
        #expect(observer.elements.map(\.title) == ["bread", "milk"])
        bread.isMarked = false
        try context.save()
        #expect(observer.elements.map(\.title) == ["milk"])
        context.delete(milk)
        #expect(observer.elements.isEmpty && observer.fetchError == nil)
        observer.fetchDescriptor.predicate = #Predicate { $0.title == "bread" }
        #expect(observer.elements.map(\.title) == ["bread"] && observer.fetchError == nil)
    }

    @Test func elementsFollowSavesAfterTheHistoryIsDeleted() throws {
        try save("bread")
        let order = FetchDescriptor<Errand>(sortBy: [SortDescriptor(\.title)])
        let observer = ResultsObserver(fetchDescriptor: order, modelContext: container.mainContext)
        #expect(observer.elements.map(\.title) == ["bread"])
        try deleteHistory()
        try save("milk")
        try deleteHistory()
        #expect(observer.elements.map(\.title) == ["bread", "milk"] && observer.fetchError == nil)
    }

    @Test func aHistoryObserverCountsWhatIsLeftAfterItsTokenExpired() throws {
        try save("bread")
        let token = try #require(
            try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
        try save("milk")
        try deleteHistory()
        try save("salt")
        let observer = try HistoryObserver(historyTokens: [token], modelContainer: container)
        #expect(observer.eventCounter == 1)
        try save("oil")
        #expect(observer.eventCounter == 2)
        try deleteHistory()
        try save("rice")
        #expect(observer.eventCounter == 3)
    }

    @Test func aHistoryObserverWithATokenOfAnotherStoreCountsAll() throws {
        let other = try ModelContainer(
            for: Errand.self, configurations: ModelConfiguration(url: folder.file("other.store")))
        let context = ModelContext(other)
        context.insert(Errand(title: "tea"))
        try context.save()
        let token = try #require(
            try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
        try save("bread")
        try save("milk")
        let observer = try HistoryObserver(historyTokens: [token], modelContainer: container)
        #expect(observer.eventCounter == 2)
        try save("salt")
        #expect(observer.eventCounter == 3)
    }
}
#endif
