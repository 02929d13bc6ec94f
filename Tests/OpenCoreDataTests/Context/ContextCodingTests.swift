import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What an archive of a context keeps.
@Suite struct ContextCodingTests {
    @Test func aCoderGivesBackAnEmptyContextOfTheSameKind() throws {
        let stack = try TestStack()
        let context = stack.context()
        context.name = "importer"
        try context.performAndWait {
            _ = Book(context: context)
            let archiver = NSKeyedArchiver(requiringSecureCoding: false)
            context.encode(with: archiver)
            archiver.finishEncoding()
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
            let copy = try #require(NSManagedObjectContext(coder: unarchiver))
            #expect(copy.concurrencyType == .privateQueueConcurrencyType && copy.name == "importer")
            #expect(copy.persistentStoreCoordinator == nil && copy.undoManager == nil)
            copy.performAndWait { #expect(copy.registeredObjects.isEmpty && !copy.hasChanges) }
        }
    }

    @Test func versionNumbersGrow() {
        let numbers = [
            NSCoreDataVersionNumber10_4, NSCoreDataVersionNumber10_6, NSCoreDataVersionNumber10_9,
            NSCoreDataVersionNumber10_11_3, NSCoreDataVersionNumber,
        ]
        #expect(numbers == numbers.sorted() && NSCoreDataVersionNumber_iPhoneOS_9_3 == 641.6)
    }

    // Behaviour 4.10
    @Test func anErrorListsItsConflicts() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let book = Book(context: context)
            try context.save()
            try stack.inContext { other in
                (other.object(with: book.objectID) as? Book)?.title = "theirs"
                try other.save()
            }
            book.title = "ours"
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.persistentStoreSaveConflicts?.map(\.sourceObject) == [book])
            #expect(CocoaError.persistentStoreSaveConflicts.rawValue == 134050)
        }
    }
}
