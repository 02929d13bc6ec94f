import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

/// Topology F: several databases on one file.
@Suite struct SharedFileTests {
    static let rounds = 1_000

    @Test @MainActor func theTimeLineOfACommitElsewhere() async throws {
        let here = try await Village.open(.disk, layout: .merging, watched: true)
        let id = try await here.settle("Hero", age: 0)
        let there = try await Village.open(.disk, layout: .manual, in: here.folder)
        let main = here.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        #expect(hero.age == 0)
        var heard = here.database.commits.filter { $0.kind == .external && $0.updated.contains(id) }
            .makeAsyncIterator()
        let load = Load(here, [Load.reader, Load.blockingReader, Load.writer("Zoe")])
        let otherLoad = Load(there, [Load.reader, Load.writer("Yan")])
        for round in 1...Self.rounds {
            load.go(round)
            otherLoad.go(round)
            try await there.database.write { try $0.villager("Hero")?.age = Int64(round) }
            let commit = await heard.next()
            #expect(commit?.updated == [id])
            #expect(commit?.inserted.isEmpty == true)
            // The layout says that the main context is told.
            await main.perform(schedule: .enqueued) {}
            #expect(hero.age == Int64(round))
            #expect(try await here.storedAge("Hero") == Int64(round))
        }
        try await load.stop()
        try await otherLoad.stop()
        #expect(try await here.storedNames() == ["Hero", "Yan", "Zoe"])
    }

    @Test @MainActor func withoutMergingARefreshShowsWhatIsStored() async throws {
        let here = try await Village.open(.disk, layout: .nested, watched: true)
        let id = try await here.settle("Hero", age: 1)
        let there = try await Village.open(.disk, in: here.folder)
        let main = here.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        var heard = here.database.commits.makeAsyncIterator()
        try await there.database.write { context in
            try context.villager("Hero")?.age = 2
            context.addVillager("Newcomer")
        }
        let commit = await heard.next()
        #expect(commit?.kind == .external)
        #expect(commit?.updated == [id])
        #expect(commit?.inserted.count == 1)
        #expect(hero.age == 1)
        main.refreshAllObjects()
        #expect(hero.age == 2)
        let new = try #require(commit?.inserted.first)
        #expect((try main.existingObject(with: new) as? Villager)?.name == "Newcomer")
    }

    @Test @MainActor func aListShowsWhatAnotherDatabaseBroughtWhereTheLayoutMerges() async throws {
        let here = try await Village.open(.disk, layout: .merging, watched: true)
        try await here.settle("Bob")
        let results = try LiveResults(Query(Villager.self).sorted(SortDescriptor(\.name)), in: here.database.main)
        let there = try await Village.open(.disk, in: here.folder)
        try await there.settle("Ada")
        var last: [String?] = []
        for await list in results.snapshots {
            last = list.map(\.name)
            if last.count == 2 { break }
        }
        #expect(last == ["Ada", "Bob"])
    }

    /// The main queue is busy, so the watch can't go on, while history is deleted that it hasn't read.
    @Test(.timeLimit(.minutes(5))) @MainActor func historyThatIsDeletedBeforeItIsReadIsMadeUpFor() async throws {
        let here = try await Village.open(.disk, layout: .merging, watched: true)
        guard here.isFile else { return }
        let id = try await here.settle("Hero", age: 0)
        let gone = try await here.settle("Gone")
        let there = try await Village.open(.disk, layout: .manual, watched: true, in: here.folder)
        let main = here.database.main
        let hero = try #require(try main.existingObject(with: id) as? Villager)
        let lost = try #require(try main.existingObject(with: gone) as? Villager)
        #expect(hero.age == 0 && lost.name == "Gone")
        let results = try LiveResults(Query(Villager.self).sorted(SortDescriptor(\.name)), in: main)
        var commits = here.database.commits.filter { $0.kind == .external }.makeAsyncIterator()
        try await there.database.write { try $0.villager("Hero")?.age = 1 }
        #expect(await commits.next()?.updated == [id])

        let other = there.database.tree.makeBackground("test")
        try other.performAndWait {
            for age in 2...4 {
                try other.villager("Hero")?.age = Int64(age)
                if age == 3 { try other.villager("Gone").map(other.delete) }
                try other.save()
                // The watch reads this one, and waits for the main queue to take it over.
                if age == 2 { Thread.sleep(forTimeInterval: 0.3) }
            }
            let end = there.database.tree.coordinator.currentPersistentHistoryToken(fromStores: nil)
            _ = try other.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: end))
            other.addVillager("New")
            try other.save()
        }
        while let commit = await commits.next(), !commit.updated.isEmpty {}
        await main.perform(schedule: .enqueued) {}
        #expect(hero.age == 4)
        #expect(lost.managedObjectContext == nil || lost.isDeleted)
        #expect(results.objects.map(\.name) == ["Hero", "New"])

        // What comes next is read again as ever.
        try await there.database.write { try $0.villager("Hero")?.age = 5 }
        #expect(await commits.next()?.updated == [id])
        await main.perform(schedule: .enqueued) {}
        #expect(hero.age == 5)
    }

    @Test func ownCommitsAreNotExternal() async throws {
        let here = try await Village.open(.disk, watched: true)
        let there = try await Village.open(.disk, in: here.folder)
        let commits = here.database.commits
        for number in 0..<20 { try await here.settle("Own \(number)") }
        try await here.database.importing { _ = $0.addVillager("Imported") }
        try await there.settle("Other")
        var kinds: [Commit.Kind] = []
        for await commit in commits {
            kinds.append(commit.kind)
            if commit.kind == .external { break }
        }
        #expect(kinds == Array(repeating: .saved, count: 20) + [.imported, .external])
    }

    @Test func aFileThatRecordsItsHistoryStaysWritable() async throws {
        let watched = try await Village.open(.disk, watched: true)
        try await watched.settle("Ada")
        try await watched.database.close()
        let plain = try await Village.open(.disk, in: watched.folder)
        try await plain.settle("Bob")
        #expect(try await plain.storedNames() == ["Ada", "Bob"])
        #expect(try plain.sqlite("SELECT COUNT(*) FROM ATRANSACTION") == "2")
    }

    @Test func manyWritersOnOneFileAllArrive() async throws {
        let first = try await Village.open(.disk, layout: .manual)
        var villages = [first]
        for layout in [Layout.nested, .merging, .siblings] {
            villages.append(try await Village.open(.disk, layout: layout, in: first.folder))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, village) in villages.enumerated() {
                for number in 0..<25 { group.addTask { try await village.settle("\(index)-\(number)") } }
                group.addTask { for _ in 0..<25 { _ = try await village.storedNames() } }
            }
            try await group.waitForAll()
        }
        for village in villages { #expect(try await village.storedNames().count == 100) }
        #expect(try !first.isFile || first.sqlite("PRAGMA integrity_check") == "ok")
    }
}
