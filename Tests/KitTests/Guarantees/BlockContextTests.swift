import OpenCoreDataKit
import TestSupport
import Testing

/// Contexts that serve for several blocks are to each of them as if they were new.
@Suite struct BlockContextTests {
    /// Something of a context that a block may change.
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What it is, in words that are the same for all contexts.
        let value: @Sendable (Context) -> String
        let change: @Sendable (Context) throws -> Void
    }

    static let settings = [
        Setting(testDescription: "name", value: { "\($0.name ?? "")" }, change: { $0.name = "Mine" }),
        Setting(
            testDescription: "transactionAuthor", value: { "\($0.transactionAuthor ?? "")" },
            change: { $0.transactionAuthor = "Ada" }),
        Setting(
            testDescription: "userInfo", value: { "\($0.userInfo.allKeys)" }, change: { $0.userInfo["key"] = "value" }),
        Setting(
            testDescription: "mergePolicy",
            value: { "\(($0.mergePolicy as? NSMergePolicy)?.mergeType.rawValue ?? .max)" },
            change: { $0.mergePolicy = NSMergePolicy.rollback }),
        Setting(
            testDescription: "undoManager", value: { "\($0.undoManager == nil)" },
            change: { $0.undoManager = UndoManager() }),
        Setting(
            testDescription: "automaticallyMergesChangesFromParent",
            value: { "\($0.automaticallyMergesChangesFromParent)" },
            change: { $0.automaticallyMergesChangesFromParent = true }),
        Setting(
            testDescription: "propagatesDeletesAtEndOfEvent", value: { "\($0.propagatesDeletesAtEndOfEvent)" },
            change: { $0.propagatesDeletesAtEndOfEvent = false }),
        Setting(
            testDescription: "shouldDeleteInaccessibleFaults", value: { "\($0.shouldDeleteInaccessibleFaults)" },
            change: { $0.shouldDeleteInaccessibleFaults = false }),
        Setting(
            testDescription: "stalenessInterval", value: { "\($0.stalenessInterval)" },
            change: { $0.stalenessInterval = 3 }),
        Setting(
            testDescription: "retainsRegisteredObjects", value: { "\($0.retainsRegisteredObjects)" },
            change: { $0.retainsRegisteredObjects = true }),
        Setting(
            testDescription: "queryGenerationToken", value: { "\(String(describing: $0.queryGenerationToken))" },
            // A read refuses it.
            change: { try? $0.setQueryGenerationFrom(.current) }),
    ]

    @Test(arguments: settings, Medium.allCases)
    func whatABlockSetsIsNotThereInTheNext(_ setting: Setting, _ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let database = village.database
        try await village.settle("Ada")
        let first = try await database.write { setting.value($0) }
        let read = try await database.read { setting.value($0) }
        // A block that throws leaves as little.
        for fails in [false, true] {
            try? await database.write { context in
                try setting.change(context)
                if fails { throw Mishap() }
            }
            try? await database.read { context in
                try setting.change(context)
                if fails { throw Mishap() }
            }
            // A context may be in use for a moment after its block, so another one comes first.
            for _ in 0..<4 {
                #expect(try await database.write { setting.value($0) } == first)
                #expect(try await database.read { setting.value($0) } == read)
            }
        }
    }

    @Test(arguments: Medium.allCases) func thePolicyOfABlockIsItsOwn(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        func policy(_ conflicts: WriteConflicts) async throws -> NSMergePolicyType? {
            try await village.database.write(conflicts: conflicts) { ($0.mergePolicy as? NSMergePolicy)?.mergeType }
        }
        #expect(try await policy(.overwrite) == .overwriteMergePolicyType)
        #expect(try await policy(.retry) == .errorMergePolicyType)
        #expect(try await policy(.mergeByPropertyStoreTrump) == .mergeByPropertyStoreTrumpMergePolicyType)
        #expect(try await policy(.fail) == .errorMergePolicyType)
    }

    @Test(arguments: Medium.allCases) func objectsOfABlockAreOfNoContextAfterIt(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let left = Locked<[SendableBox<Villager>]>([])
        let id = try await village.settle("Ada")
        for number in 0..<3 {
            try await village.database.write { context in
                let ada = try #require(try context.object(Villager.self, id))
                ada.age = Int64(number)
                let box = SendableBox(ada)
                left.change { $0.append(box) }
                #expect(context.registeredObjects == [ada])
            }
        }
        #expect(left.value.allSatisfy { $0.value.managedObjectContext == nil })
        #expect(Set(left.value.map { ObjectIdentifier($0.value) }).count == 3)
        #expect(try await village.storedAge("Ada") == 2)
    }

    @Test(arguments: Medium.allCases) func aContextThatLeavesItsBlockIsNotGivenToOthers(_ medium: Medium) async throws {
        let village = try await Village.open(medium, layout: .standard)
        let left = try await village.database.write { $0 }
        try await village.database.write { context in #expect(context !== left) }
        let read = try await village.database.read { $0 }
        try await village.database.read { context in #expect(context !== read) }
        await left.perform {
            left.addVillager("Later")
            left.reset()
        }
        #expect(try await village.storedNames() == [])
    }

    @Test func aContextWithOtherStoresOrAListIsNotUsedAgain() async throws {
        let village = try await Village.open(.disk, layout: .standard)
        let other = try await Village.open(.disk, layout: .standard)
        try await village.settle("Ada")
        try await village.database.write { [coordinator = other.database.tree.coordinator] context in
            context.persistentStoreCoordinator = coordinator
        }
        #expect(try await village.storedNames() == ["Ada"])
        try await village.settle("Bob")
        let list = try await village.database.write { context in
            let request = NSFetchRequest<Villager>(entityName: "Villager")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let list = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try list.performFetch()
            return SendableBox(list)
        }
        try await village.settle("Cid")
        withExtendedLifetime(list) {}
        #expect(try await village.storedNames() == ["Ada", "Bob", "Cid"])
        #expect(try await other.storedNames() == [])
    }
}
