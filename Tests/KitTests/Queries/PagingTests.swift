import OpenCoreDataKit
import TestSupport
import Testing

/// Pages that go on after an object.
@Suite struct PagingTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType]

    private static var orders: [[NSSortDescriptor]] {
        [
            [],
            [NSSortDescriptor(key: "code", ascending: true)], [NSSortDescriptor(key: "code", ascending: false)],
            [NSSortDescriptor(key: "name", ascending: true)], [NSSortDescriptor(key: "name", ascending: false)],
            [NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true)],
            [
                NSSortDescriptor(key: "street", ascending: true), NSSortDescriptor(key: "born", ascending: false),
                NSSortDescriptor(key: "height", ascending: true),
            ],
            [NSSortDescriptor(key: "rent", ascending: false), NSSortDescriptor(key: "street", ascending: false)],
            [NSSortDescriptor(key: "town.name", ascending: false), NSSortDescriptor(key: "age", ascending: true)],
            [NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))],
            [
                NSSortDescriptor(key: "street", ascending: false, selector: Selector("caseInsensitiveCompare:")),
                NSSortDescriptor(key: "name", ascending: false, selector: Selector("localizedCompare:")),
            ],
        ]
    }

    /// Residents many of whose values are equal or missing.
    private func fill(_ context: Context, _ count: Int, _ random: inout SeededGenerator) throws {
        let towns = try ["Even", "Odd", "ähnlich"].map { name in
            let town = try context.create(Town.self)
            town.name = name
            return town
        }
        for number in 0..<count {
            let resident: Resident =
                try number % 7 == 0 ? context.create(Mayor.self) : context.create(Resident.self)
            try change(resident, &random)
            resident.code = Int64(number)
            resident.town = random.below(4) == 0 ? nil : towns[random.below(3)]
        }
        try context.save()
    }

    private func change(_ resident: Resident, _ random: inout SeededGenerator) throws {
        func some<Value>(_ values: [Value?], _ random: inout SeededGenerator) -> Value? {
            values[random.below(values.count)]
        }
        resident.name = some(["a", "B", "b", "Ä", "item 2", "item 10", nil], &random)
        resident.age = Int32(random.below(5))
        resident.street = some(["North", "north", "South", nil], &random)
        resident.born = some([Date(timeIntervalSinceReferenceDate: 0.25), .distantPast, nil], &random)
        resident.height = some([1.5, -0.1, nil], &random)
        resident.rent = some([Decimal(string: "10.5"), 7, nil], &random)
    }

    /// The codes of all pages.
    private func pages(_ query: Query<Resident>, of size: Int, _ context: Context) throws -> [Int64] {
        var found: [Int64] = []
        var last: Resident?
        repeat {
            let page = try context.all(query.after(last).limit(size))
            #expect(page.count <= size)
            found += page.map(\.code)
            last = page.last
        } while last != nil
        return found
    }

    @Test(arguments: types) func pagesJoinedAreTheWholeResult(type: String) throws {
        let stack = try TestStack(model: TownModel.make(), type: type)
        var random = SeededGenerator(seed: 1)
        try stack.inContext { try fill($0, 60, &random) }
        for order in Self.orders {
            try stack.inContext { context in
                let query = Query(Resident.self).sorted(order)
                var whole = try context.all(query).map(\.code)
                // Without an order and a limit, no order is promised.
                if order.isEmpty { whole.sort() }
                for size in [1, 7, 59] { #expect(try pages(query, of: size, context) == whole, "\(order), \(size)") }
                let some = query.filter(#Predicate { $0.age < 3 })
                let matching = try context.all(some).map(\.code)
                #expect(try pages(some, of: 4, context) == (order.isEmpty ? matching.sorted() : matching))
            }
        }
    }

    @Test(arguments: types) func writesBetweenPagesMoveNoOtherObject(type: String) throws {
        let stack = try TestStack(model: TownModel.make(), type: type)
        var random = SeededGenerator(seed: 2)
        try stack.inContext { try fill($0, 80, &random) }
        for order in Self.orders.dropFirst() {
            let query = Query(Resident.self).sorted(order)
            let before = try stack.inContext { try $0.all(query).map(\.objectID) }
            var seen: [NSManagedObjectID] = []
            var changed: Set<NSManagedObjectID> = []
            var last: NSManagedObjectID?
            var writes = 0
            repeat {
                let page = try stack.inContext { context in
                    try context.ids((last.map { query.after($0) } ?? query).limit(9))
                }
                seen += page
                last = page.last
                writes += 1
                // What is inserted may come last, and would be on one more page each time.
                guard writes < 15 else { continue }
                try stack.inContext { context in
                    let others = try context.all(Query(Resident.self)).filter { $0.objectID != last }
                    for resident in others.shuffled(using: &random).prefix(3) {
                        changed.insert(resident.objectID)
                        try change(resident, &random)
                    }
                    let gone = others[random.below(others.count)]
                    changed.insert(gone.objectID)
                    context.delete(gone)
                    try change(try context.create(Resident.self), &random)
                    try context.save()
                }
            } while last != nil
            let untouched = seen.filter { !changed.contains($0) && before.contains($0) }
            #expect(untouched == before.filter { !changed.contains($0) }, "\(order)")
        }
    }

    @Test(arguments: types) func unsavedChangesAreInTheirPlaces(type: String) throws {
        let stack = try TestStack(model: TownModel.make(), type: type)
        var random = SeededGenerator(seed: 3)
        try stack.inContext { context in
            try fill(context, 30, &random)
            let query = Query(Resident.self).sorted(SortDescriptor(\.code))
            let all = try context.all(query)
            let end = all[10]
            all[3].code = 100
            all[20].code = -1
            context.delete(all[12])
            let new = try context.create(Resident.self)
            new.code = 15
            let codes = try context.all(query.after(end)).map(\.code)
            #expect(codes == [11, 13, 14, 15, 15, 16, 17, 18, 19] + (21...29) + [100])
            #expect(try context.count(query.after(end)) == codes.count)
            let child = Context(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let found = try child.performAndWait { try child.all(query.after(end.objectID)).map(\.code) }
            #expect(found == codes)
        }
    }

    @Test(arguments: types) func whatHasNoPositionIsAnError(type: String) throws {
        let stack = try TestStack(model: TownModel.make(), type: type)
        var random = SeededGenerator(seed: 4)
        try stack.inContext { context in
            try fill(context, 10, &random)
            let query = Query(Resident.self).sorted(SortDescriptor(\.code))
            let new = try context.create(Resident.self)
            expectError({ $0.queryReason?.contains("never saved") == true }) { _ = try context.all(query.after(new)) }
            context.delete(new)
            let gone = try context.one(query)
            let id = gone.objectID
            for order in [NSSortDescriptor(key: "town", ascending: true), NSSortDescriptor(key: nil, ascending: true)] {
                expectError({ $0.queryReason?.contains("order by attributes") == true }) {
                    _ = try context.all(query.sorted(order).after(gone))
                }
            }
            let town = try #require(try context.first(Town.self))
            expectError({ $0.queryReason?.contains("of the entity Town") == true }) {
                _ = try context.all(query.after(town.objectID))
            }
            context.delete(gone)
            for _ in 0..<2 {
                expectError({ $0.queryReason?.contains("was deleted") == true }) {
                    _ = try context.all(query.after(gone))
                }
                try context.save()
            }
            expectError({ $0.queryReason?.contains("was deleted") == true }) { _ = try context.all(query.after(id)) }
        }
        // Another context deleted it.
        let id = try stack.inContext { try $0.one(Query(Resident.self).sorted(SortDescriptor(\.code))).objectID }
        try stack.inContext { context in
            let fault = context.object(with: id)
            try stack.inContext { other in
                other.delete(try other.existingObject(with: id))
                try other.save()
            }
            expectError({ $0.queryReason?.contains("was deleted") == true }) {
                _ = try context.all(Query(Resident.self).after(fault as? Resident))
            }
        }
    }

    @Test func objectsOfSeveralStoresFollowStoreByStore() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TownModel.make())
        let stores = try (0..<3).map { number in
            try coordinator.addPersistentStore(
                ofType: number == 1 ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
                at: number == 1 ? nil : folder.file("\(number).sqlite"))
        }
        let context = Context(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { () throws in
            for number in 0..<30 {
                let resident = try context.create(Resident.self)
                context.assign(resident, to: stores[number % 3])
                (resident.code, resident.age) = (Int64(number), Int32(number % 4))
            }
            try context.save()
            let query = Query(Resident.self).sorted(SortDescriptor(\.age))
            let whole = try context.all(query).map(\.code)
            #expect(Set(whole).count == 30)
            for size in [1, 4] { #expect(try pages(query, of: size, context) == whole) }
        }
    }

    @Test func aPageReadsOnFromAnIndex() throws {
        let model = TownModel.make()
        let resident = try #require(model.entitiesByName["Resident"])
        resident.indexes = [
            NSFetchIndexDescription(
                name: "byCode",
                elements: [
                    NSFetchIndexElementDescription(
                        property: try #require(resident.propertiesByName["code"]), collationType: .binary)
                ])
        ]
        let stack = try TestStack(model: model)
        var random = SeededGenerator(seed: 5)
        try stack.inContext { context in
            try fill(context, 50, &random)
            let query = Query(Resident.self).sorted(SortDescriptor(\.code)).limit(20)
            let last = try #require(try context.all(query).last)
            let plan = try context.explain(query.after(last).fetchRequest(in: context)).description
            #expect(plan.contains("byCode (ZCODE>?)"), "\(plan)")
        }
    }
}
