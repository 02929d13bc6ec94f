import OpenCoreDataKit
import TestSupport
import Testing

/// What a `#Predicate` says means the same on disk, in memory, and to unsaved objects.
@Suite struct ConditionTests {
    /// Codes 1 to 6: ages 10 to 60; names Ann, ann, Zoë, A_b, none, none; 1 has friends 2 and 4, 2 has friend 5.
    private func fill(_ context: Context) throws {
        let names = ["Ann", "ann", "Zoë", "A_b", nil, nil]
        let residents = try names.enumerated().map { index, name in
            let resident = try context.create(Resident.self)
            resident.code = Int64(index + 1)
            resident.age = Int32(index + 1) * 10
            resident.name = name
            resident.street = index == 3 ? "A_b" : "Main"
            resident.height = index == 0 ? nil : Double(index)
            return resident
        }
        residents[0].friends = [residents[1], residents[3]]
        residents[1].friends = [residents[4]]
    }

    private func expect(
        _ predicate: Predicate<Resident>, _ codes: [Int64], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let query = Query(Resident.self).filter(predicate).sorted(SortDescriptor(\.code))
        for type in TownStack.storeTypes {
            let stack = try TownStack(type)
            try stack.inContext { context in
                try fill(context)
                let unsaved = try context.all(query).map(\.code)
                #expect(unsaved == codes, "unsaved", sourceLocation: sourceLocation)
                try context.save()
            }
            let stored = try stack.inContext { try $0.all(query).map(\.code) }
            #expect(stored == codes, "\(type)", sourceLocation: sourceLocation)
        }
    }

    // Feature MONK-38, CANDY-37
    @Test func comparisons() throws {
        try expect(#Predicate { $0.age == 20 }, [2])
        try expect(#Predicate { $0.age != 20 }, [1, 3, 4, 5, 6])
        try expect(#Predicate { $0.age > 20 && $0.age <= 40 }, [3, 4])
        try expect(#Predicate { $0.name == "Ann" }, [1])
        try expect(#Predicate { $0.name == nil }, [5, 6])
        try expect(#Predicate { $0.name != nil }, [1, 2, 3, 4])
        try expect(#Predicate { $0.name != "Ann" }, [2, 3, 4, 5, 6])
    }

    // Feature MONK-39
    @Test func twoProperties() throws {
        try expect(#Predicate { $0.name == $0.street }, [4])
    }

    // Feature MONK-42, CANDY-43
    @Test func compounds() throws {
        try expect(#Predicate { $0.age == 10 || $0.age == 20 && $0.name == "Ann" }, [1])
        try expect(#Predicate { ($0.age == 10 || $0.age == 20) && $0.street == "Main" }, [1, 2])
        try expect(#Predicate { !($0.age > 10) }, [1])
    }

    // Feature MONK-37
    @Test func relatedObjects() throws {
        try expect(#Predicate { $0.friends.contains { $0.age > 30 } }, [1, 2])
        try expect(#Predicate { $0.friends.allSatisfy { $0.age > 30 } }, [2, 3, 4, 5, 6])
        try expect(#Predicate { $0.friends.isEmpty }, [3, 4, 5, 6])
    }

    // Feature CANDY-39, CANDY-40
    @Test func valuesAndRanges() throws {
        let ages: [Int32] = [10, 30]
        let none: [Int32] = []
        let (closed, half): (ClosedRange<Int32>, Range<Int32>) = (20...40, 20..<40)
        try expect(#Predicate { ages.contains($0.age) }, [1, 3])
        try expect(#Predicate { none.contains($0.age) }, [])
        try expect(#Predicate { !none.contains($0.age) }, [1, 2, 3, 4, 5, 6])
        try expect(#Predicate { closed.contains($0.age) }, [2, 3, 4])
        try expect(#Predicate { half.contains($0.age) }, [2, 3])
    }

    // Feature CANDY-41
    @Test func texts() throws {
        try expect(#Predicate { $0.name?.starts(with: "A") == true }, [1, 4])
        try expect(#Predicate { $0.name?.contains("_") == true }, [4])
        try expect(#Predicate { $0.name?.contains("ë") == true }, [3])
        try expect(#Predicate { $0.name?.contains("%") == true }, [])
    }

    // Feature MONK-40, MONK-41, CANDY-42
    @Test func formatsAndRegularExpressions() throws {
        for type in TownStack.storeTypes {
            let stack = try TownStack(type)
            try stack.inContext { context in
                try fill(context)
                try context.save()
                func codes(_ format: String) throws -> [Int64] {
                    try context.all(
                        Query(Resident.self).filter(NSPredicate(format: format)).sorted(SortDescriptor(\.code))
                    ).map(\.code)
                }
                #expect(try codes("name MATCHES 'A.*'") == [1, 4])
                #expect(try codes("name LIKE[c] 'an?'") == [1, 2])
                #expect(try codes("age BETWEEN {20, 30}") == [2, 3])
                expectError({ $0.queryReason != nil }) { _ = try codes("name MATCHES '('") }
            }
        }
    }

    // Feature CANDY-48
    @Test func thePredicateCanBeRead() {
        let query = Query(Resident.self).filter(#Predicate { $0.age > 3 }).filter(NSPredicate(format: "name = 'x'"))
        #expect(query.predicate?.predicateFormat == "age > 3 AND name == \"x\"")
        #expect(Query(Resident.self).predicate == nil)
    }

    // Feature MONK-41
    @Test func aBlockRunsInMemoryAndIsAnErrorOnDisk() throws {
        let block = Query(Resident.self).filter(NSPredicate { object, _ in (object as? Resident)?.age == 10 })
        for type in TownStack.storeTypes {
            let stack = try TownStack(type)
            try stack.inContext { context in
                try fill(context)
                try context.save()
                if type == NSSQLiteStoreType {
                    expectError({ $0.queryReason?.contains("block") == true }) { _ = try context.all(block) }
                } else {
                    _ = try context.all(block)
                }
            }
        }
    }
}
