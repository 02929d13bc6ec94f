import OpenCoreDataKit
import TestSupport
import Testing

/// Conditions, order and windows, on disk and in memory.
@Suite struct ReadingTests {
    private func filled(_ type: String, _ body: (Context) throws -> Void) throws {
        let stack = try TownStack(type)
        try stack.fill()
        try stack.inContext(body)
    }

    private func codes(_ context: Context, _ query: Query<Resident>) throws -> [Int64] {
        try context.all(query).map(\.code)
    }

    private let byCode = Query(Resident.self).sorted(SortDescriptor(\.code))

    // Feature MONK-24, MONK-48, CANDY-36
    @Test(arguments: TownStack.storeTypes) func filtersSortsAndCuts(type: String) throws {
        try filled(type) { context throws in
            let query = Query(Resident.self).filter(#Predicate { $0.age >= 3 && $0.age != 5 })
                .sorted(SortDescriptor(\.age, order: .reverse)).limit(3).offset(1)
            #expect(try codes(context, query) == [9, 8, 7])
            #expect(try context.count(query) == 3)
            #expect(try codes(context, byCode.offset(20)).isEmpty)
            #expect(try codes(context, byCode.limit(0)).count == 10)
            #expect(try codes(context, byCode.filter(NSPredicate(format: "town.name = %@", "Odd"))) == [1, 3, 5, 7, 9])
            #expect(
                try codes(context, byCode.filter(#Predicate { $0.age > 8 }).filter(NSPredicate(format: "code < 10")))
                    == [9])
        }
    }

    // Feature MONK-44, MONK-53, CANDY-45
    @Test(arguments: TownStack.storeTypes) func theLastSettingOfAKindCounts(type: String) throws {
        try filled(type) { context throws in
            #expect(try codes(context, byCode.limit(2).limit(3)) == [1, 2, 3])
            #expect(try codes(context, byCode.adjusted { $0.fetchLimit = 5 }.limit(2)) == [1, 2])
            #expect(try codes(context, byCode.limit(2).adjusted { $0.fetchLimit = 1 }) == [1])
            let replaced = byCode.filter(#Predicate { $0.age > 1 }).adjusted {
                $0.predicate = NSPredicate(format: "age = 1")
            }
            #expect(try codes(context, replaced) == [1])
        }
    }

    // Feature MONK-23, BNR-19
    @Test(arguments: TownStack.storeTypes) func oneThrowsWhereFirstGivesNothing(type: String) throws {
        try filled(type) { context throws in
            let nobody = byCode.filter(#Predicate { $0.age > 50 })
            #expect(try context.first(byCode)?.code == 1)
            #expect(try context.first(nobody) == nil)
            #expect(try context.one(byCode.offset(2)).code == 3)
            #expect(try context.all(nobody).isEmpty)
            expectError({
                if case .notFound("Resident", let condition?) = $0 { condition.contains("age > 50") } else { false }
            }) { _ = try context.one(nobody) }
        }
    }

    // Feature MONK-48
    @Test(arguments: TownStack.storeTypes) func windowsApplyAfterUnsavedChanges(type: String) throws {
        try filled(type) { context throws in
            for resident in try context.all(byCode.limit(4)) { context.delete(resident) }
            let first = try context.create(Resident.self)
            (first.code, first.age) = (-1, 1)
            let window = byCode.limit(3).offset(1)
            #expect(try codes(context, window) == [5, 6, 7])
            #expect(try context.count(window) == 3)
            #expect(try context.ids(window) == context.all(window).map(\.objectID))
            #expect(try codes(context, byCode.offset(6)) == [10])
            #expect(try context.count(byCode.limit(100)) == 7)
            let child = Context(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait { () throws in #expect(try child.all(window).map(\.code) == [5, 6, 7]) }
        }
    }

    // Feature MONK-26, THR-22
    @Test(arguments: TownStack.storeTypes) func countsAndIdentifiersSeeUnsavedChanges(type: String) throws {
        try filled(type) { context throws in
            context.delete(try context.one(byCode))
            try context.create(Resident.self).code = 77
            #expect(try context.count(Query(Resident.self)) == 10)
            #expect(
                try Set(context.ids(Query(Resident.self))) == Set(context.all(Query(Resident.self)).map(\.objectID)))
        }
    }

    // Feature MONK-45
    @Test(arguments: TownStack.storeTypes) func subentitiesCanBeLeftOut(type: String) throws {
        try filled(type) { context throws in
            try context.create(Mayor.self).code = 11
            try context.save()
            #expect(try context.count(Query(Resident.self)) == 11)
            #expect(try context.count(Query(Resident.self).exactEntity()) == 10)
            #expect(try codes(context, byCode.exactEntity()).count == 10)
            #expect(try context.all(Query(Mayor.self)).map(\.code) == [11])
        }
    }

    // Feature MONK-46
    @Test(arguments: TownStack.storeTypes) func unsavedChangesCanBeLeftOut(type: String) throws {
        try filled(type) { context throws in
            try context.create(Resident.self).code = 11
            try context.one(byCode).age = 99
            let old = byCode.filter(#Predicate { $0.age == 99 })
            #expect(try codes(context, old) == [1])
            #expect(try codes(context, old.storedOnly()).isEmpty)
            #expect(try codes(context, byCode.storedOnly()).count == 10)
        }
    }

    // Feature MONK-47
    @Test func objectsCanArriveWithoutValues() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            let faults = try context.all(byCode.asFaults())
            #expect(faults.allSatisfy { $0.isFault })
            let before = stack.log.selects.count
            #expect(faults[0].name == "r1")
            #expect(stack.log.selects.count == before + 1)
        }
    }

    // Feature MONK-49
    @Test func batchesLoadWhenTheyAreTouched() throws {
        let stack = try TownStack()
        try stack.inContext { context throws in
            for number in 0..<100 { try context.create(Resident.self).code = Int64(number) }
            try context.save()
        }
        stack.log.clear()
        try stack.inContext { context throws in
            let all = try context.all(byCode.batched(by: 20))
            #expect(all.count == 100)
            #expect(stack.log.selects.count == 1)
            #expect(all[50].code == 50)
            #expect(all[49].code + all[51].code == 100)
            #expect(stack.log.selects.count <= 3)
            #expect(try context.allInBatches(byCode.batched(by: 20)).map(\.code) == (0..<100).map { Int64($0) })
        }
    }

    // Feature MONK-50
    @Test func prefetchedRelationshipsCostOneStatementEach() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            let towns = try context.all(Query(Town.self).prefetching(\.residents))
            let loaded = stack.log.selects.count
            #expect(towns.map { $0.residents.count }.reduce(0, +) == 10)
            #expect(stack.log.selects.count == loaded)
            #expect(loaded == 2)
            expectError({ $0.queryReason?.contains("'streets'") == true }) {
                _ = try context.all(Query(Town.self).prefetching(paths: ["residents.streets"]))
            }
            expectError({ $0.queryReason?.contains("'name' is an attribute") == true }) {
                _ = try context.all(Query(Town.self).prefetching(\.name))
            }
        }
    }

    // Feature MONK-51
    @Test func fieldsAreCheckedAndGiveTheRightValues() throws {
        let stack = try TownStack()
        try stack.fill()
        try stack.inContext { context throws in
            #expect(try context.all(byCode.fields(\.name)).map(\.age) == Array(1...10))
            expectError({ $0.queryReason?.contains("nmae") == true }) {
                _ = try context.all(byCode.fields(named: ["nmae"]))
            }
        }
    }

    @Test(arguments: TownStack.storeTypes) func mistakesAreErrorsThatNameThem(type: String) throws {
        try filled(type) { context throws in
            expectError({ $0.queryReason?.contains("shoeSize") == true }) {
                _ = try context.all(byCode.filter(NSPredicate(format: "shoeSize > 3")))
            }
            expectError({ $0.queryReason?.contains("-3") == true }) { _ = try context.all(byCode.limit(-3)) }
            expectError({ $0.queryReason?.contains("-1") == true }) { _ = try context.count(byCode.offset(-1)) }
            expectError({
                if case .unknownEntity(let name, let known) = $0 {
                    name.hasSuffix("Author") && known.contains { $0.hasPrefix("Town") }
                } else {
                    false
                }
            }) { _ = try context.all(Query(Author.self)) }
            expectError({ if case .unknownEntity("Twon", _) = $0 { true } else { false } }) {
                _ = try context.all(Query(NSManagedObject.self, entity: "Twon"))
            }
            #expect(try context.all(Query(NSManagedObject.self, entity: "Town")).count == 2)
        }
    }

    // Feature STICKY-14, STICKY-17
    @Test func aContextWithoutStoresIsClosed() {
        let context = Context(concurrencyType: .privateQueueConcurrencyType)
        context.performAndWait {
            expectError({ if case .closed = $0 { true } else { false } }) { try context.create(Town.self) }
            expectError({ if case .closed = $0 { true } else { false } }) { _ = try context.all(Query(Town.self)) }
        }
    }
}
