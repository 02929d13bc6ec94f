import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Values that are not there although the type of their property has no `nil`.
@Suite(.serialized) struct AbsentValueTests {
    /// Reads in a store that has one tome, without any values, and gives what was reported of it.
    private func reports(_ read: (Tome, NSManagedObjectContext) throws -> Void) throws -> [UnreadableValues.Report] {
        let reports = Noted<UnreadableValues.Report>()
        let stack = try TestStack(model: TomeModel().make())
        try stack.inContext { context in
            let tome = Tome(context: context)
            // A new object is not finished: nothing is to be said of it.
            _ = (tome.token, tome.link)
            try context.save()
        }
        UnreadableValues.setHandler { if ["Tome", "Reader"].contains($0.entity) { reports.note($0) } }
        defer { UnreadableValues.setHandler(nil) }
        try stack.inContext { context in
            try read(try #require(try context.fetch(NSFetchRequest<Tome>(entityName: "Tome")).first), context)
        }
        return reports.all
    }

    @Test func aMissingValueIsNeutralAndReportedOnce() throws {
        let reports = try reports { tome, _ in
            for _ in 0..<2 {
                #expect(tome.token == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
                #expect(!tome.link.isFileURL)
                #expect(tome.data.isEmpty && tome.pages == 0 && tome.title == nil)
            }
        }
        #expect(reports.map(\.property) == ["token", "link"])
        #expect(reports.first?.message == "The property 'token' of Tome can't be read as UUID: there is no value.")
    }

    @Test func aMissingObjectIsStoodInFor() throws {
        let reports = try reports { tome, context in
            let owner = tome.owner
            #expect(owner.name.isEmpty && owner.managedObjectContext == nil && owner.entity.name == "Reader")
            #expect(tome.owner.name.isEmpty)
            #expect(!context.hasChanges)
            // It is nil to whatever it is assigned to.
            tome.owner = owner
            tome.readers = [owner]
            tome.mutableSetValue(forKey: "readers").add(owner)
            tome.setValue(owner, forKey: "owner")
            owner.name = "nobody"
            #expect(tome.readers.isEmpty && tome.value(forKey: "owner") == nil)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Reader>(entityName: "Reader")) == 0)
            let real = Reader(context: context)
            real.name = "Ann"
            tome.owner = real
            #expect(tome.owner === real)
            try context.save()
        }
        #expect(reports.map(\.property) == ["owner"] && reports.first?.type == "Reader")
    }
}
