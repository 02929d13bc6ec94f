import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

@MainActor @Suite struct EntityChangesTests {
    @Test(arguments: Club.storeTypes) func savesAreTold(type: String) async throws {
        let club = try Club(type: type)
        let saved = StreamReader(club.main.changes(of: PlayerEntity.self, when: .saved))
        let ann = PlayerEntity(context: club.main)
        ann.name = "Ann"
        _ = GameEntity(context: club.main)
        club.main.processPendingChanges()
        try club.main.save()
        var change = try #require(await saved.next())
        #expect(change.inserted == [ann] && change.updated.isEmpty && change.deleted.isEmpty)
        // What is not about players is not told.
        _ = GameEntity(context: club.main)
        try club.main.save()
        ann.name = "Ann 2"
        try club.main.save()
        change = try #require(await saved.next())
        #expect(change.updated == [ann] && change.inserted.isEmpty && change.objectIDs == [ann.objectID])
        club.main.delete(ann)
        try club.main.save()
        change = try #require(await saved.next())
        #expect(change.deleted == [ann] && !change.isEmpty)
    }

    @Test func changesAreToldBeforeTheyAreSavedAndWhenTheyAreMerged() async throws {
        let club = try Club()
        let changed = StreamReader(club.main.changes(of: PlayerEntity.self))
        let ann = PlayerEntity(context: club.main)
        club.main.processPendingChanges()
        #expect(await changed.next()?.inserted == [ann])
        try club.main.save()
        let background = club.stack.context()
        let log = NotificationLog(background, [.NSManagedObjectContextDidSave])
        try background.performAndWait {
            (try background.existingObject(with: ann.objectID) as? PlayerEntity)?.name = "Ann 2"
            try background.save()
        }
        club.main.mergeChanges(fromContextDidSave: try #require(log.entries.last?.notification))
        #expect(await changed.next()?.updated == [ann])
        #expect(ann.name == "Ann 2")
    }

    /// Only a server can tell which objects match, so none is left out.
    @Test func fullTextSearchLeavesNoObjectOut() async throws {
        let club = try Club()
        let predicate = NSPredicate(format: "FUNCTION(name, 'matchesText:', 'fox') == YES")
        let saved = StreamReader(club.main.changes(of: PlayerEntity.self, where: predicate, when: .saved))
        let ann = PlayerEntity(context: club.main)
        ann.name = "Ann"
        try club.main.save()
        #expect(await saved.next()?.inserted == [ann])
        ann.name = "Fox"
        try club.main.save()
        #expect(await saved.next()?.updated == [ann])
    }

    @Test func thePredicateSeesTheObjectAsItIsNow() async throws {
        let club = try Club()
        let predicate = NSPredicate(format: "name CONTAINS[cd] %@", "nerd")
        let saved = StreamReader(club.main.changes(of: PlayerEntity.self, where: predicate, when: .saved))
        let nerd = PlayerEntity(context: club.main)
        nerd.name = "A Nérd"
        let other = PlayerEntity(context: club.main)
        other.name = "Bob"
        try club.main.save()
        #expect(await saved.next()?.inserted == [nerd])
        nerd.name = "Cid"
        try club.main.save()
        other.name = "NERDS"
        try club.main.save()
        #expect(await saved.next()?.updated == [other])
    }

    @Test func theStreamEndsWithTheContextAndDoesNotKeepIt() async throws {
        let club = try Club()
        var context: NSManagedObjectContext? = club.stack.context()
        weak let released = context
        let stream = try #require(context?.performAndWait { context?.changes(of: PlayerEntity.self) })
        context = nil
        #expect(released == nil)
        for await _ in stream { Issue.record("There is no change.") }
    }

    @Test func aStreamThatNobodyReadsIsForgotten() throws {
        let club = try Club()
        let watch = ContextWatch.of(club.main)
        do { _ = club.main.changes(of: PlayerEntity.self) }
        _ = PlayerEntity(context: club.main)
        club.main.processPendingChanges()
        #expect(watch.isIdle)
    }

    @Test func onlyTheEntityItselfCountsIfWanted() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            var all = 0
            var books = 0
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Book"])
            let first = context.watch(of: Book.self, when: .saved) { all += $0.inserted.count }
            let second = context.watch(of: Book.self, entity: entity, includesSubentities: false, when: .saved) {
                books += $0.inserted.count
            }
            _ = Book(context: context)
            _ = GraphicNovel(context: context)
            try context.save()
            second.cancel()
            _ = Book(context: context)
            try context.save()
            #expect(all == 3 && books == 1)
            first.cancel()
        }
    }
}
