import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Mistakes of a program, not of its data: each stops with a sentence that names the thing.
@Suite(.serialized) struct PreconditionTests {
    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// A release build stops at a precondition without its message.
    @Test func noMessageIsLeftOutOfAReleaseBuild() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(/\bprecondition(Failure)?\(/), "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count > 300)
    }

    @Test func objectsOfTwoContextsCannotBeRelated() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let (one, two) = (stack.context(), stack.context())
            one.performAndWait {
                let book = Book(context: one)
                two.performAndWait { book.author = Author(context: two) }
            }
        }
        #expect(said(result).contains("Illegal attempt to establish the relationship 'author'"))
    }

    @Test func anAbstractEntityHasNoObjects() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = LibraryModel.make()
            model.entitiesByName["Book"]?.isAbstract = true
            let stack = try TestStack(model: model, type: NSInMemoryStoreType)
            stack.inContext { _ = Book(context: $0) }
        }
        #expect(said(result).contains("Book") && said(result).contains("abstract"))
    }

    @Test func aClassWithoutEntityCannotBeInserted() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Stranger: NSManagedObject {}
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { _ = Stranger(context: $0) }
        }
        #expect(said(result).contains("Stranger"))
    }

    @Test func anUnknownEntityNameCannotBeInserted() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { _ = NSEntityDescription.insertNewObject(forEntityName: "Unicorn", into: $0) }
        }
        #expect(said(result).contains("Unicorn"))
    }

    @Test func aContextHasACoordinatorOrAParent() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let context = stack.context()
            context.parent = stack.context()
        }
        #expect(said(result).contains("either a coordinator or a parent"))
    }

    @Test func anObjectBelongsToOneContext() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            let (one, two) = (stack.context(), stack.context())
            one.performAndWait {
                let book = Book(context: one)
                two.performAndWait { two.insert(book) }
            }
        }
        #expect(said(result).contains("is in another context"))
    }

    @Test func aMutableSetNeedsAToMany() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TestStack(type: NSInMemoryStoreType)
            stack.inContext { _ = Book(context: $0).mutableSetValue(forKey: "author") }
        }
        #expect(said(result).contains("Book has no to-many relationship named 'author'"))
    }
}
