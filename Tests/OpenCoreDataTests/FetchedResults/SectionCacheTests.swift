import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A book whose section is computed, and who counts how often.
final class DatedEntry: NSManagedObject {
    nonisolated(unsafe) static var reads = 0  // Touched by this serialized suite alone, one test at a time.

    override func value(forKey key: String) -> Any? {
        guard key == "decade" else { return super.value(forKey: key) }
        Self.reads += 1
        return ((super.value(forKey: "year") as? NSNumber)?.intValue ?? 0) / 10 * 10
    }
}

/// The file of sections: used for the same rows only, and never trusted further.
@Suite(.serialized) struct SectionCacheTests {
    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Dated"
        entity.managedObjectClassName = NSStringFromClass(DatedEntry.self)
        entity.properties = [
            LibraryModel.attribute("year", .integer32AttributeType, default: 0),
            LibraryModel.attribute("decade", .integer32AttributeType, transient: true),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private let name = "SectionCacheTests/\(UUID().uuidString)"

    /// Fetches in a new context and says which sections there are and how often the section's name was asked for.
    private func fetch(
        _ stack: TestStack, ascending: Bool = true, cacheName: String? = nil
    ) throws -> (sections: [String], counts: [Int], reads: Int) {
        try stack.inContext { context in
            let request = NSFetchRequest<DatedEntry>(entityName: "Dated")
            request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: ascending)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "decade",
                cacheName: cacheName ?? name)
            DatedEntry.reads = 0
            try controller.performFetch()
            return (
                controller.sections?.map(\.name) ?? [], controller.sections?.map(\.numberOfObjects) ?? [],
                DatedEntry.reads
            )
        }
    }

    private func withStack(_ body: (TestStack) throws -> Void) throws {
        let stack = try TestStack(model: Self.model())
        try add([1984, 1989, 1991, 2003], stack)
        defer { NSFetchedResultsController<DatedEntry>.deleteCache(withName: name) }
        try body(stack)
    }

    private func add(_ years: [Int], _ stack: TestStack) throws {
        try stack.inContext { context in
            for year in years {
                NSEntityDescription.insertNewObject(forEntityName: "Dated", into: context).setValue(
                    year, forKey: "year")
            }
            try context.save()
        }
    }

    @Test func sectionsAreReadFromTheFile() throws {
        try withStack { stack in
            let first = try fetch(stack)
            #expect(first.sections == ["1980", "1990", "2000"] && first.counts == [2, 1, 1] && first.reads == 4)
            let second = try fetch(stack)
            #expect(second.sections == first.sections && second.counts == first.counts && second.reads == 0)
            NSFetchedResultsController<DatedEntry>.deleteCache(withName: name)
            #expect(try fetch(stack).reads == 4)
        }
    }

    @Test func otherRowsOrAnotherRequestMakeItStale() throws {
        try withStack { stack in
            _ = try fetch(stack)
            #expect(try fetch(stack, ascending: false).reads == 4)
            let other = try fetch(stack, ascending: false)
            #expect(other.sections == ["2000", "1990", "1980"] && other.reads == 0)
            try add([1999], stack)
            let more = try fetch(stack, ascending: false)
            #expect(more.reads == 5 && more.counts == [1, 2, 2])
            try stack.inContext { context in
                let all = try context.fetch(NSFetchRequest<DatedEntry>(entityName: "Dated"))
                all.first { ($0.value(forKey: "year") as? NSNumber)?.intValue == 1999 }?.setValue(1998, forKey: "year")
                try context.save()
            }
            #expect(try fetch(stack, ascending: false).reads == 5)
        }
    }

    @Test func aBrokenFileIsIgnoredAndReplaced() throws {
        try withStack { stack in
            _ = try fetch(stack)
            let file = NSFetchedResultsController<DatedEntry>.cacheFile(withName: name)
            let whole = try Data(contentsOf: file)
            for damaged in [Data(), Data("nonsense".utf8), whole.prefix(whole.count / 2), whole + Data([0])] {
                try damaged.write(to: file)
                #expect(try fetch(stack).sections == ["1980", "1990", "2000"])
                #expect(try fetch(stack).reads == 0)
            }
        }
    }

    @Test func unsavedChangesKeepOutOfTheFile() throws {
        try withStack { stack in
            try stack.inContext { context in
                NSEntityDescription.insertNewObject(forEntityName: "Dated", into: context).setValue(
                    2011, forKey: "year")
                let request = NSFetchRequest<DatedEntry>(entityName: "Dated")
                request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "decade", cacheName: name)
                try controller.performFetch()
                #expect(controller.sections?.count == 4)
            }
            #expect(
                !FileManager.default.fileExists(
                    atPath: NSFetchedResultsController<DatedEntry>.cacheFile(withName: name).path))
            #expect(try fetch(stack).sections.count == 3)
        }
    }
}
