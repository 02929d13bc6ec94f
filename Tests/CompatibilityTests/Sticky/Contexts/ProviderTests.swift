import Sticky
import TestSupport
import Testing

/// The contexts that a started container gives.
@Suite struct ProviderTests {
    // Feature STICKY-8
    @Test func thereIsOneViewContextAndManyOthers() throws {
        let stack = try BookStack()
        let provider = try stack.start()
        #expect(provider.viewContext === provider.viewContext)
        #expect(provider.viewContext.concurrencyType == .mainQueueConcurrencyType)
        let contexts = [provider.newBackgroundContext(), provider.newBackgroundContext()]
        #expect(contexts[0] !== contexts[1])
        for context in contexts {
            #expect(context.concurrencyType == .privateQueueConcurrencyType)
            #expect(context.parent == nil)
            #expect(context.persistentStoreCoordinator === stack.spy.persistentStoreCoordinator)
        }
    }

    // Feature STICKY-8
    @Test @MainActor func nobodyMergesWhatOthersSave() throws {
        let provider = try BookStack().start()
        try provider.add("Momo")
        let background = provider.newBackgroundContext()
        let shown = try #require(try provider.viewContext.fetch(Book.self).first)
        let known = try background.performAndWait { () throws in
            let book = try #require(try background.fetch(Book.self).first)
            #expect(book.title == "Momo")
            return book
        }
        try provider.newBackgroundContext().performAndWait { context in
            try context.fetch(Book.self).first?.title = "Emil"
            try context.save()
        }
        #expect(shown.title == "Momo")
        #expect(
            try background.performAndWait { try $0.fetch(Book.self).map(\.title) + [known.title] } == ["Momo", "Momo"])
        provider.viewContext.refreshAllObjects()
        #expect(shown.title == "Emil")
        withExtendedLifetime(provider) {}
    }

    // Feature STICKY-8
    @Test(.enabled(if: SwiftCompiler.isThere)) func onlyAContainerMakesAProvider() throws {
        let use = """
            import Foundation
            import OpenCoreDataKit
            import Sticky
            final class Book: NSManagedObject {}
            func use(_ provider: PersistentContainer.ContextProvider) throws {
                try provider.newBackgroundContext().performAndWait { context in
                    let entity: NSEntityDescription = try context.entity(for: Book.self)
                    let book = try context.create(Book.self)
                    let books: [Book] = try context.fetch(Book.self) { $0.fetchLimit = 1 }
                    try context.delete(Book.self)
                    print(entity, book, books)
                }
            }
            """
        // What an application may do compiles, with the kit beside the library too.
        #expect(try SwiftCompiler.errors(in: use) == [])
        let errors = try SwiftCompiler.errors(in: use + "\nlet provider = PersistentContainer.ContextProvider()")
        #expect(errors.first?.contains("inaccessible") == true, "\(errors)")
    }
}
