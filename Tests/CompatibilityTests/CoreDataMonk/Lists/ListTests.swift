import CoreDataMonk
import TestSupport
import Testing

/// Lists on a surface without a screen, which checks every batch as UIKit would.
@MainActor struct ListTests {
    /// A random but repeatable sequence.
    private struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    private static let places = ["Bern", "Kyoto", "Lima", "Oslo", "Rome", "Taipei", "Zug"]

    /// Changes a few people at random.
    private func change(_ people: PeopleStack, _ dice: inout Dice, _ next: inout Int) throws {
        var (rolls, number) = (dice, next)
        people.world.beginUpdateAndWait { update in
            let all = try update.fetchAll(Person.self, orderBy: .ascending("title"))
            for _ in 0...rolls.roll(3) {
                let chosen = all.isEmpty ? nil : all[rolls.roll(all.count)]
                switch (rolls.roll(5), chosen) {
                case (0, let person?) where !person.isDeleted: try update.delete(person)
                case (1, let person?) where !person.isDeleted: person.name = "N\(rolls.roll(100))"
                case (2, let person?) where !person.isDeleted:
                    person.location = Self.places[rolls.roll(Self.places.count)]
                case (3, let person?) where !person.isDeleted: person.age = rolls.roll(100)
                default:
                    let person = try update.person(
                        "N\(rolls.roll(100))", age: rolls.roll(100),
                        location: Self.places[rolls.roll(Self.places.count)])
                    person.title = String(format: "%05d", number)
                    number += 1
                }
            }
            try update.commit()
        }
        (dice, next) = (rolls, number)
        if let error = people.errors.all.first { throw error }
    }

    private static func row(_ person: Person) -> String {
        "\(person.location ?? "-") \(person.name ?? "-") \(person.age ?? -1) \(person.title ?? "-")"
    }

    private static let order: CoreDataOrderBy = .ascending("location") | .ascending("name") | .ascending("title")

    /// What the list has to show: a fresh fetch, section by section.
    private func expected(_ people: PeopleStack) throws -> [[String]] {
        var sections: [[String]] = []
        var last: String?
        for person in try people.world.fetchAll(Person.self, orderBy: Self.order) {
            if sections.isEmpty || person.location != last { sections.append([]) }
            last = person.location
            sections[sections.count - 1].append(Self.row(person))
        }
        return sections
    }

    // Feature MONK-60
    @Test func aTableFollowsAThousandChanges() async throws {
        let people = try PeopleStack(.memory)
        let table = HeadlessSurface<String>()
        let provider = TableViewDataProvider<Person>(context: people.world).bind(table) { person, _ in Self.row(person)
        }
        try provider.query(orderBy: Self.order, sectionBy: %"location")
        var (dice, next) = (Dice(state: 7), 0)
        for step in 0..<400 {
            try change(people, &dice, &next)
            await Task.yield()
            let wanted = try expected(people)
            guard table.rows == wanted, table.violations.isEmpty else {
                Issue.record("Step \(step): \(table.rows) instead of \(wanted); \(table.violations)")
                return
            }
        }
        #expect(next > 100)
        #expect(table.batches.count > 200)
        // Moves come as deletions and insertions.
        #expect(table.batches.allSatisfy { $0.movedRows.isEmpty })
        #expect(
            table.batches.contains { !$0.deletedSections.isEmpty } && table.batches.contains { !$0.updatedRows.isEmpty }
        )
    }

    // Feature MONK-61
    @Test func aCollectionFollowsAThousandChanges() async throws {
        let people = try PeopleStack(.memory)
        let collection = HeadlessSurface<String>()
        let provider = CollectionViewDataProvider<Person>(context: people.world).bind(collection) { person, _ in
            Self.row(person)
        }
        try provider.query(orderBy: Self.order, sectionBy: %"location")
        var (dice, next) = (Dice(state: 11), 0)
        for step in 0..<400 {
            try change(people, &dice, &next)
            await Task.yield()
            let wanted = try expected(people)
            guard collection.rows == wanted, collection.violations.isEmpty else {
                Issue.record("Step \(step): \(collection.rows) instead of \(wanted); \(collection.violations)")
                return
            }
        }
        #expect(collection.batches.contains { !$0.movedRows.isEmpty })
    }

    // Feature MONK-60
    @Test func aTableShowsOnlyWhatItsProviderHas() async throws {
        let people = try await PeopleStack.withFriends(.database)
        let (first, second) = (HeadlessSurface<String>(), HeadlessSurface<String>())
        var provider: TableViewDataProvider<Person>? = TableViewDataProvider(context: people.world)
            .bind(first) { person, _ in person.name ?? "" }
        try provider?.query(%"age" > 0, orderBy: .Ascending("name"))
        #expect(first.rows == [["Ann", "Bob"]])
        provider?.bind(second) { person, path in "\(path.row) \(person.name ?? "")" }
        #expect(first.rows.isEmpty)
        #expect(second.rows == [["0 Ann", "1 Bob"]])
        try await people.update { try $0.person("Cid", age: 1) }
        #expect(first.rows.isEmpty)
        #expect(second.rows == [["0 Ann", "1 Bob", "2 Cid"]])
        try provider?.load(%"age" > 30, orderBy: .ascending("name"))
        #expect(second.rows == [["0 Ann"]])
        provider = nil
        second.reload()
        #expect(second.rows.isEmpty)
        #expect(first.violations.isEmpty && second.violations.isEmpty)
    }

    // Feature MONK-60
    @Test func whereThereIsNoRowThereIsNothing() async throws {
        let people = try await PeopleStack.withFriends(.memory)
        let content = ContentReader()
        let provider = try TableViewDataProvider<Person>(context: people.world)
            .bind(content) { person, _ in person.name ?? "" }.query(orderBy: .ascending("name"))
        let shown = try #require(content.content)
        #expect(shown.row(at: IndexPath(row: 1, section: 0)) == "Bob")
        for path in [
            IndexPath(row: 2, section: 0), IndexPath(row: 0, section: 1), IndexPath(row: -1, section: 0),
        ] {
            #expect(shown.row(at: path) == nil)
            #expect(provider.objectAtIndexPath(path) == nil)
        }
        #expect(shown.numberOfRows(inSection: 3) == 0)
        #expect(provider.numberOfObjectsInSection(3) == 0 && provider.numberOfObjectsInSection(-1) == 0)
    }

    // Feature MONK-60
    @Test func beforeAQueryATableIsEmpty() throws {
        let people = try PeopleStack(.memory)
        let table = HeadlessSurface<String>()
        let provider = TableViewDataProvider<Person>(context: people.world).bind(table) { _, _ in "" }
        #expect(provider.numberOfSections() == 0)
        #expect(provider.fetchedResultsController == nil)
        table.reload()
        #expect(table.rows.isEmpty)
        #expect(throws: (any Error).self) { try provider.query(%"shoeSize" == 1, orderBy: .ascending("name")) }
    }

    // Feature MONK-61
    @Test func rowsLeaveASectionThatVanishes() async throws {
        let people = try PeopleStack(.memory)
        try await people.update { update in
            try update.person("Ann", location: "Bern")
            try update.person("Bob", location: "Bern")
            try update.person("Cid", location: "Zug")
        }
        let collection = HeadlessSurface<String>()
        let provider = try CollectionViewDataProvider<Person>(context: people.world)
            .bind(collection) { person, _ in person.name ?? "" }
            .query(orderBy: .ascending("location") | .ascending("name"), sectionBy: %"location")
        #expect(collection.rows == [["Ann", "Bob"], ["Cid"]])
        try await people.update { update in
            try people.first(update, "Ann").location = "Zug"
            try people.first(update, "Bob").location = "Rome"
            try people.first(update, "Cid").location = "Rome"
        }
        #expect(collection.rows == [["Bob", "Cid"], ["Ann"]])
        #expect(collection.violations.isEmpty)
        // Nothing is told twice: what a view is told leaves out the rows of sections that go and come.
        for batch in collection.batches.map(\.folded) {
            let (gone, come) = (Set(batch.deletedSections), Set(batch.insertedSections))
            #expect(batch.deletedRows.allSatisfy { !gone.contains($0.section) })
            #expect(batch.insertedRows.allSatisfy { !come.contains($0.section) })
            #expect(batch.movedRows.allSatisfy { !gone.contains($0.from.section) && !come.contains($0.to.section) })
        }
        withExtendedLifetime(provider) {}
    }

    // Feature MONK-61
    @Test func batchesDoNotOverlap() async throws {
        let people = try PeopleStack(.memory)
        let collection = HeadlessSurface<String>()
        collection.completesAtOnce = false
        let provider = try CollectionViewDataProvider<Person>(context: people.world)
            .bind(collection) { person, _ in person.name ?? "" }.query(orderBy: .ascending("name"))
        for name in ["Ann", "Bob", "Cid"] { try await people.update { try $0.person(name) } }
        #expect(collection.batches.count == 1)
        #expect(collection.rows == [["Ann"]])
        collection.completeBatch()
        #expect(collection.batches.count == 2)
        #expect(collection.rows == [["Ann", "Bob", "Cid"]])
        collection.completeBatch()
        #expect(!collection.isBusy)
        #expect(collection.violations.isEmpty)
        withExtendedLifetime(provider) {}
    }

    // Feature MONK-61
    @Test func aCollectionThatNobodySeesIsReloaded() async throws {
        let people = try PeopleStack(.memory)
        let collection = HeadlessSurface<String>()
        let provider = try CollectionViewDataProvider<Person>(context: people.world)
            .bind(collection) { person, _ in person.name ?? "" }.load(orderBy: .ascending("name"))
        provider.onGetSupplementary = { kind, path in "\(kind) \(path.section)" }
        #expect(
            provider.supplementaryView(ofKind: "header", at: IndexPath(row: 0, section: 2)) as? String == "header 2")
        collection.isShowing = false
        let before = collection.reloads
        try await people.update { try $0.person("Ann") }
        #expect(collection.batches.isEmpty)
        #expect(collection.reloads == before + 1)
        #expect(collection.rows == [["Ann"]])
    }

    // Feature MONK-62
    @Test func callbacksAndLookUps() async throws {
        let people = try await PeopleStack.withFriends(.database)
        let table = HeadlessSurface<String>()
        let provider = TableViewDataProvider<Person>(context: people.world)
        provider.onGetSectionTitle = { name, section in "\(section): \(name)" }
        provider.onGetIndexTitle = { String($0.prefix(1)) }
        let changes = Counter()
        provider.onDataChanged = { changes.add(table.rows.joined().count) }
        try provider.bind(table) { person, _ in person.name ?? "" }
            .query(orderBy: .ascending("name"), sectionBy: %"location")
        #expect(table.rows == [["Bob"], ["Ann"]])
        #expect(table.titles == ["0: Bern", "1: Taipei"])
        #expect(provider.titleOfSection(1) == "1: Taipei" && provider.titleOfSection(2) == nil)
        #expect(provider.sectionIndexTitles == ["B", "T"])
        #expect(provider.numberOfSections() == 2)
        #expect(provider.numberOfObjectsInSection(0) == 1)
        let path = IndexPath(row: 0, section: 1)
        let ann = try #require(provider.objectAtIndexPath(path))
        #expect(ann.name == "Ann" && provider.indexPathForObject(ann) == path)
        #expect(provider.fetchedResultsController?.fetchedObjects?.count == 2)
        #expect(changes.value == 0)
        try await people.update { try $0.person("Cid", location: "Bern") }
        // Once, and after the table has it.
        #expect(changes.value == 3)
        provider.onGetCell = { person, _ in "* \(person.name ?? "")" }
        try await people.update { update in try people.first(update, "Cid").age = 3 }
        #expect(table.rows == [["Bob", "* Cid"], ["Ann"]])
        provider.onGetSectionTitle = nil
        #expect(provider.titleOfSection(0) == "Bern")
    }

    // Feature MONK-62
    @Test func rowsAreDeletedOnlyByThoseWhoSayHow() async throws {
        let people = try await PeopleStack.withFriends(.database)
        let table = HeadlessSurface<String>()
        let provider = try TableViewDataProvider<Person>(context: people.world)
            .bind(table) { person, _ in person.name ?? "" }.query(orderBy: .ascending("name"))
        let path = IndexPath(row: 0, section: 0)
        #expect(!provider.canDeleteRow(at: path))
        provider.deleteRow(at: path)
        #expect(table.rows == [["Ann", "Bob"]])
        provider.onDeleteCell = { [world = people.world] person, _ in
            world.beginUpdateAndWait { update in
                try update.delete(update.use(person))
                try update.commit()
            }
        }
        #expect(provider.canDeleteRow(at: path) && !provider.canDeleteRow(at: IndexPath(row: 5, section: 0)))
        provider.deleteRow(at: path)
        provider.deleteRow(at: IndexPath(row: 5, section: 0))
        await people.settle()
        #expect(table.rows == [["Bob"]])
        #expect(try people.peopleInFile == 1)
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-62
    @Test func aFilterDecidesWhatIsShown() async throws {
        let people = try await PeopleStack.numbered(10)
        let table = HeadlessSurface<String>()
        let provider = try TableViewDataProvider<Person>(context: people.world)
            .bind(table) { person, _ in person.name ?? "" }.query(orderBy: .ascending("age"))
        let modulus = Box<Int>()
        modulus.value = 2
        provider.objectFilter = { sections in
            sections.map { $0.filter { ($0.age ?? 0).isMultiple(of: modulus.value ?? 1) } }
        }
        func wanted() throws -> [[String]] {
            [
                try people.world.fetchAll(Person.self, orderBy: .ascending("age"))
                    .filter { ($0.age ?? 0).isMultiple(of: modulus.value ?? 1) }.compactMap(\.name)
            ]
        }
        #expect(table.rows == [["P00", "P02", "P04", "P06", "P08"]])
        try await people.update { update in
            try people.first(update, "P02").age = 12
            try people.first(update, "P03").age = 14
            try update.delete(people.first(update, "P06"))
            try update.person("P10", age: 10)
        }
        #expect(try table.rows == wanted())
        modulus.value = 3
        provider.filter()
        #expect(try table.rows == wanted())
        provider.objectFilter = nil
        #expect(table.rows.joined().count == 10)
        #expect(table.violations.isEmpty)
        // Written past every context.
        _ = try people.sqlite("DELETE FROM ZPERSON WHERE ZNAME = 'P00'")
        people.world.reset()
        try provider.reload()
        #expect(table.rows.joined().count == 9)
    }
}

/// Keeps what it is given to show.
@MainActor final class ContentReader: ListSurface {
    var content: ListContent<String>?
    func show(_ content: ListContent<String>?) { self.content = content }
    func reload() {}
    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) { completion() }
}
