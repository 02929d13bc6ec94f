import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

@MainActor @Suite struct LiveResultsTests {
    private func request(_ keys: String..., where format: String? = nil) -> NSFetchRequest<PlayerEntity> {
        let request = NSFetchRequest<PlayerEntity>(entityName: "Player")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        if let format { request.predicate = NSPredicate(format: format) }
        return request
    }

    @discardableResult
    private func add(_ name: String, _ city: String? = nil, to context: NSManagedObjectContext) -> PlayerEntity {
        let player = PlayerEntity(context: context)
        player.name = name
        player.city = city
        return player
    }

    @Test(arguments: Club.storeTypes) func resultsAreReadInSections(type: String) throws {
        let club = try Club(type: type)
        for (name, city) in [("Ann", "Bonn"), ("Bob", "Aachen"), ("Cid", "Bonn")] { add(name, city, to: club.main) }
        try club.main.save()
        let results = try LiveResults(request: request("city", "name"), sectionKeyPath: "city", in: club.main)
        #expect(results.sections.map(\.name) == ["Aachen", "Bonn"])
        #expect(results.sections.map(\.indexTitle) == ["A", "B"])
        #expect(results.sections.map { $0.objects.map(\.name) } == [["Bob"], ["Ann", "Cid"]])
        #expect(results.objects.map(\.name) == ["Bob", "Ann", "Cid"])
        #expect(results.count == 3 && !results.isEmpty && results.numberOfSections == 2)
        #expect(results.numberOfObjects(inSection: 1) == 2)
        #expect(results[[1, 1]]?.name == "Cid")
        #expect(results.indexPath(of: results.objects[2]) == [1, 1])
        #expect(results.name(ofSection: 0) == "Aachen")
    }

    @Test func whatIsNotThereIsNil() throws {
        let club = try Club()
        let results = try LiveResults(request: request("name"), in: club.main)
        #expect(results.isEmpty && results.objects.isEmpty)
        for path: IndexPath in [[0, 0], [1, 0], [0, -1], [-1, 0], [0], [0, 0, 0]] { #expect(results[path] == nil) }
        #expect(results.numberOfObjects(inSection: 9) == 0 && results.numberOfObjects(inSection: -1) == 0)
        #expect(results.name(ofSection: 4) == nil)
        let elsewhere = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        elsewhere.persistentStoreCoordinator = club.stack.coordinator
        #expect(results.indexPath(of: add("Ann", to: elsewhere)) == nil)
    }

    @Test func aRequestWithoutOrderAndAContextOfAnotherQueueAreRefused() throws {
        let club = try Club()
        #expect(throws: DatabaseError.self) { try LiveResults(request: request(), in: club.main) }
        #expect(throws: DatabaseError.self) { try LiveResults(request: request("name"), in: club.stack.context()) }
        #expect(throws: (any Error).self) { try LiveResults(request: request("nonsense"), in: club.main) }
    }

    @Test(arguments: Club.storeTypes) func eachEventIsOneBatch(type: String) async throws {
        let club = try Club(type: type)
        let ann = add("Ann", to: club.main)
        add("Cid", to: club.main)
        try club.main.save()
        let results = try LiveResults(request: request("name"), in: club.main)
        let changes = StreamReader(results.changes)
        add("Bob", to: club.main)
        ann.name = "Ann 2"
        try club.main.save()
        #expect(await changes.next() == ListChanges(insertedRows: [[0, 1]], updatedRows: [[0, 0]]))
        club.main.delete(ann)
        club.main.processPendingChanges()
        #expect(await changes.next() == ListChanges(deletedRows: [[0, 0]]))
        #expect(results.objects.map(\.name) == ["Bob", "Cid"])
    }

    @Test func snapshotsBeginWithWhatIsThere() async throws {
        let club = try Club()
        add("Ann", to: club.main)
        try club.main.save()
        let results = try LiveResults(request: request("name"), in: club.main)
        let snapshots = StreamReader(results.snapshots)
        #expect(await snapshots.next()?.map(\.name) == ["Ann"])
        add("Bob", to: club.main)
        try club.main.save()
        #expect(await snapshots.next()?.map(\.name) == ["Ann", "Bob"])
        // Who is slow gets the newest.
        for name in ["Cid", "Dan"] {
            add(name, to: club.main)
            try club.main.save()
        }
        #expect(await snapshots.next()?.count == 4)
    }

    @Test func streamsEndWithTheResults() async throws {
        let club = try Club()
        var results: LiveResults? = try LiveResults(request: request("name"), in: club.main)
        let changes = try #require(results?.changes)
        let snapshots = try #require(results?.snapshots)
        weak let released = results
        results = nil
        #expect(released == nil)
        for await _ in changes { Issue.record("There is no batch.") }
        var count = 0
        for await _ in snapshots { count += 1 }
        #expect(count == 1)
    }

    @Test(arguments: Club.storeTypes) func anotherRequestIsToldAsABatch(type: String) async throws {
        let club = try Club(type: type)
        for (index, name) in ["Ann", "Bob", "Cid", "Dan"].enumerated() { add(name, to: club.main).score = Int16(index) }
        try club.main.save()
        let results = try LiveResults(request: request("name"), in: club.main)
        let surface = HeadlessSurface<String>()
        results.drive(surface) { player, _ in player.name ?? "" }
        let next = request("score", where: "score > 0")
        next.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
        try results.show(next)
        #expect(surface.rows == [["Dan", "Cid", "Bob"]])
        #expect(surface.batches.count == 1 && surface.violations.isEmpty)
        // It follows the new one.
        add("Eve", to: club.main).score = 9
        try club.main.save()
        #expect(surface.rows == [["Eve", "Dan", "Cid", "Bob"]])
        // One that can't be fetched changes nothing.
        #expect(throws: (any Error).self) { try results.show(request("nonsense")) }
        add("Fay", to: club.main).score = 8
        try club.main.save()
        #expect(surface.rows == [["Eve", "Fay", "Dan", "Cid", "Bob"]])
    }

    @Test func arrangingFiltersAndRegroups() throws {
        let club = try Club()
        for (name, city) in [("Ann", "Bonn"), ("Bob", "Aachen"), ("Cid", "Bonn")] { add(name, city, to: club.main) }
        try club.main.save()
        let results = try LiveResults(request: request("city", "name"), sectionKeyPath: "city", in: club.main)
        let surface = HeadlessSurface<String>()
        results.drive(surface) { player, _ in player.name ?? "" }
        #expect(surface.rows == [["Bob"], ["Ann", "Cid"]])
        var unwanted = "Ann"
        results.arrange = { sections in sections.map { $0.filter { $0.name != unwanted } } }
        #expect(surface.rows == [["Bob"], ["Cid"]] && results.count == 2)
        #expect(surface.titles == ["Aachen", "Bonn"])
        let cid = try #require(results.indexPath(of: results.objects[1]))
        #expect(cid == [1, 0])
        unwanted = "Bob"
        results.rearrange()
        #expect(surface.rows == [[], ["Ann", "Cid"]])
        results.arrange = { [Array($0.joined())] }
        #expect(surface.rows == [["Bob", "Ann", "Cid"]])
        add("Abe", "Aachen", to: club.main)
        results.objects[1].name = "Ann 2"
        try club.main.save()
        #expect(surface.rows == [["Abe", "Bob", "Ann 2", "Cid"]])
        results.arrange = nil
        #expect(surface.rows == [["Abe", "Bob"], ["Ann 2", "Cid"]])
        #expect(surface.violations.isEmpty && surface.reloads == 1)
    }

    @Test(arguments: Club.storeTypes) func aContextThatIsResetIsAskedAgain(type: String) throws {
        let club = try Club(type: type)
        add("Ann", to: club.main)
        try club.main.save()
        let results = try LiveResults(request: request("name"), in: club.main)
        let surface = HeadlessSurface<String>()
        results.drive(surface) { player, _ in player.name ?? "" }
        add("Unsaved", to: club.main)
        club.main.processPendingChanges()
        #expect(surface.rows == [["Ann", "Unsaved"]])
        club.main.reset()
        #expect(surface.rows == [["Ann"]] && results.objects.map(\.name) == ["Ann"])
        add("Bob", to: club.main)
        try club.main.save()
        #expect(surface.rows == [["Ann", "Bob"]] && surface.violations.isEmpty)
    }

    @Test func aContextMayGoBeforeItsResults() throws {
        let club = try Club()
        let results = try LiveResults(request: request("name"), in: club.main)
        #expect(results.context === club.main)
    }
}
