import CoreDataMonk
import TestSupport
import Testing

/// Updates: their blocks, what they commit, and what is discarded.
@MainActor struct UpdateTests {
    // Feature MONK-14
    @Test func anUpdateBeginsLaterAndOffTheMainQueue() async throws {
        let people = try PeopleStack()
        let (started, gate) = (Flag(), DispatchSemaphore(value: 0))
        let onMain = Flag()
        people.world.beginUpdate { update in
            gate.wait()
            if Thread.isMainThread { onMain.set() }
            #expect(update.managedObjectContext.concurrencyType == .privateQueueConcurrencyType)
            try update.person("Ann")
            try update.commit()
            started.set()
        }
        #expect(!started.isSet)
        gate.signal()
        await started.wait()
        #expect(!onMain.isSet)
        await people.settle()
        #expect(try people.names() == ["Ann"])
    }

    // Feature MONK-15
    @Test(arguments: [
        CoreDataContext.UpdateTarget.mainContext, .rootContext(autoMerge: false), .rootContext(autoMerge: true),
        .persistentStore,
    ])
    func waitingOnTheMainQueue(_ target: CoreDataContext.UpdateTarget) async throws {
        let people = try PeopleStack(.database, target: target)
        people.world.beginUpdateAndWait { update in
            try update.person("Ann", age: 1)
            try update.commit()
        }
        #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 1)
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-15
    @Test func errorsGoToTheHandlerNotToTheCaller() async throws {
        let people = try PeopleStack()
        people.world.beginUpdateAndWait { update in _ = try update.fetch(Person.self, %"name" == "Nobody") }
        guard case DatabaseError.notFound(let entity, _)? = people.errors.all.first else {
            return #expect(Bool(false), "\(people.errors.all)")
        }
        #expect(entity == "Person")
    }

    // Feature MONK-16
    @Test func blocksOfOneContextSeeEachOthersChanges() async throws {
        let people = try PeopleStack()
        let context = people.world.beginUpdateContext()
        context.perform { update in try update.person("Ann") }
        let seen = Counter()
        context.perform { update in seen.add(try update.fetchCount(Person.self)) }
        context.wait()
        #expect(seen.value == 1)
        #expect(try people.names().isEmpty)
        context.performAndWait { update in try update.person("Bob") }
        context.commit()
        context.wait()
        #expect(try people.names() == ["Ann", "Bob"])
        context.perform { update in try update.person("Cid") }
        context.rollback()
        context.performAndWait { update in seen.add(try update.fetchCount(Person.self)) }
        #expect(seen.value == 3)
        #expect(context.managedObjectContext.concurrencyType == .privateQueueConcurrencyType)
        #expect(people.errors.all.isEmpty)
    }

    // Feature MONK-16
    @Test func waitingOnTheMainQueueLetsEarlierBlocksUseIt() async throws {
        for order in [CoreDataContext.UpdateOrder.default, .serial] {
            let people = try PeopleStack(.database, order: order)
            let context = people.world.beginUpdateContext()
            let entered = DispatchSemaphore(value: 0)
            let gate = DispatchSemaphore(value: 0)
            context.perform { update in
                entered.signal()
                gate.wait()
                // Reads from and saves into the main context, while the main queue waits.
                try update.person("P\(try update.fetchCount(Person.self))")
                try update.commit()
            }
            entered.wait()
            DispatchQueue.global().async { gate.signal() }
            context.wait()
            #expect(try people.names() == ["P0"], "\(order)")
            // Others may be on their way too.
            for _ in 0..<20 {
                people.world.beginUpdate { update in
                    try update.person("P\(try update.fetchCount(Person.self))")
                    try update.commit()
                }
            }
            people.world.beginUpdateAndWait { update in _ = try update.fetchCount(Person.self) }
            try await eventually("all are there") { try people.world.fetchCount(Person.self) == 21 }
            #expect(people.errors.all.isEmpty)
        }
    }

    // Feature MONK-17
    @Test func whatIsNotCommittedIsDiscarded() async throws {
        let people = try PeopleStack()
        people.world.beginUpdateAndWait { update in try update.person("Ann") }
        #expect(try people.names().isEmpty)
        people.world.beginUpdateAndWait { update in
            try update.person("Bob")
            try update.commit()
            try update.person("Cid")
        }
        await people.settle()
        #expect(try people.names() == ["Bob"])
        people.world.beginUpdateAndWait { update in
            try update.person("Dan")
            throw Refusal()
        }
        await people.settle()
        #expect(try people.peopleInFile == 1)
        #expect(people.errors.all.count == 1)
    }

    // Feature MONK-17
    @Test func aBlockThatThrowsLeavesNothingForTheNextOne() async throws {
        let people = try PeopleStack()
        let context = people.world.beginUpdateContext()
        context.performAndWait { update in
            try update.person("Half")
            throw Refusal()
        }
        context.performAndWait { update in
            try update.person("Whole")
            try update.commit()
        }
        #expect(try people.names() == ["Whole"])
    }

    // Feature MONK-17
    @Test func anUpdateLivesAsLongAsSomebodyHoldsIt() async throws {
        let people = try PeopleStack()
        weak var context: NSManagedObjectContext?
        var held: CoreDataUpdate?
        people.world.beginUpdateAndWait { update in
            context = update.managedObjectContext
            held = update
            try update.person("Ann")
        }
        #expect(context != nil)
        let committed = Flag()
        held?.perform { update in
            try update.commit()
            committed.set()
        }
        held = nil
        await committed.wait()
        try await eventually("the context goes") { context == nil }
        await people.settle()
        #expect(try people.names() == ["Ann"])
        weak var other: CoreDataUpdateContext?
        do {
            let context = people.world.beginUpdateContext()
            other = context
            context.performAndWait { try $0.person("Bob") }
        }
        try await eventually("the update context goes") { other == nil }
        #expect(try people.names() == ["Ann"])
    }

    // Feature MONK-18
    @Test func aCallbackGoesOnWithTheObjectsOfTheUpdate() async throws {
        let people = try await PeopleStack.withFriends(.database)
        let (done, failed) = (Flag(), Flag())
        people.stack.onError = { error in if error is Refusal { failed.set() } }
        people.world.beginUpdate { update in
            let ann = try update.fetch(Person.self, %"name" == "Ann")
            let box = Held(ann)
            DispatchQueue.global().async {
                update.perform { update in
                    box.value.age = 41
                    try update.commit()
                    update.perform { _ in
                        done.set()
                        throw Refusal()
                    }
                }
            }
        }
        await done.wait()
        await failed.wait()
        await people.settle()
        #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 41)
        #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON WHERE ZNAME = 'Ann'") == "41")
    }

    // Feature MONK-19
    @Test func aMissingValueIsToldAndReachesNobody() async throws {
        let people = try PeopleStack()
        people.world.beginUpdateAndWait { update in
            let nameless = try update.create(Person.self)
            do {
                try update.commit()
                Issue.record("A person without a name was committed.")
            } catch let error as CocoaError {
                #expect(error.code == .validationMissingMandatoryProperty)
                #expect(error.validationKey == "name")
            }
            nameless.name = "Named"
        }
        #expect(people.errors.all.isEmpty)
        #expect(!people.main.hasChanges)
        #expect(try people.names().isEmpty)
    }

    // Feature MONK-19
    @Test func committedObjectsHaveTheirIdentities() async throws {
        for target in [CoreDataContext.UpdateTarget.mainContext, .rootContext(autoMerge: false), .persistentStore] {
            let people = try PeopleStack(.database, target: target)
            var id: NSManagedObjectID?
            people.world.beginUpdateAndWait { update in
                let ann = try update.person("Ann")
                #expect(ann.objectID.isTemporaryID)
                try update.commit()
                #expect(!ann.objectID.isTemporaryID)
                id = ann.objectID
                // Again, with something and with nothing to commit.
                ann.age = 3
                try update.commit()
                try update.commit()
            }
            await people.settle()
            let found = try people.world.fetch(Person.self, id: #require(id))
            #expect(found.name == "Ann" && found.age == 3)
            #expect(try people.sqlite("SELECT ZNAME, ZAGE FROM ZPERSON") == "Ann|3")
            #expect(people.errors.all.isEmpty)
        }
    }

    // Feature MONK-21
    @Test func aRollbackForgetsEverything() async throws {
        let people = try await PeopleStack.withFriends(.database)
        people.world.beginUpdateAndWait { update in
            try people.first(update, "Ann").age = 99
            try update.person("New")
            update.rollback()
            #expect(!update.managedObjectContext.hasChanges)
            #expect(update.managedObjectContext.registeredObjects.isEmpty)
            let ann = try people.first(update, "Ann")
            #expect(ann.age == 40)
            ann.age = 41
            try update.commit()
        }
        await people.settle()
        #expect(try people.names() == ["Ann", "Bob"])
        #expect(try people.world.fetch(Person.self, %"name" == "Ann").age == 41)
        #expect(people.errors.all.isEmpty)
    }
}

/// Carries an object into a block that runs on the object's queue.
// @unchecked Sendable because the object is only used there.
struct Held<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
