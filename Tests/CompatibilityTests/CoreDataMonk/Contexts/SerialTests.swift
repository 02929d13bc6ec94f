import CoreDataMonk
import TestSupport
import Testing

/// Update blocks that run one at a time.
@MainActor struct SerialTests {
    // Feature MONK-13
    @Test(arguments: [CoreDataContext.UpdateTarget.mainContext, .rootContext(autoMerge: false), .persistentStore])
    func readingAndWritingLosesNothing(_ target: CoreDataContext.UpdateTarget) async throws {
        let people = try PeopleStack(.database, target: target, order: .serial)
        people.world.beginUpdateAndWait { update in
            try update.person("Counter", age: 0)
            try update.commit()
        }
        let (running, done) = (Counter(), Counter())
        DispatchQueue.global().async { [world = people.world] in
            DispatchQueue.concurrentPerform(iterations: 200) { _ in
                world.beginUpdate { update in
                    running.add()
                    let counter = try update.fetch(Person.self, %"name" == "Counter")
                    counter.age = (counter.age ?? 0) + 1
                    try update.commit()
                    running.add(-1)
                    done.add()
                }
            }
        }
        try await eventually("all blocks have run") { done.value == 200 }
        await people.settle()
        #expect(running.maximum == 1)
        #expect(people.errors.all.isEmpty)
        people.world.reset()
        #expect(try people.world.fetch(Person.self, %"name" == "Counter").age == 200)
        #expect(try people.sqlite("SELECT ZAGE FROM ZPERSON") == "200")
    }

    // Feature MONK-13
    @Test func aHeldUpdateKeepsItsTurn() async throws {
        let people = try PeopleStack(order: .Serial)
        let (first, second) = (Flag(), Flag())
        let held = Box<CoreDataUpdate>()
        people.world.beginUpdate { update in
            held.value = update
            first.set()
        }
        await first.wait()
        people.world.beginUpdate { _ in second.set() }
        let another = try CoreDataContext(
            stack: people.stack, mainContext: people.main, updateTarget: .mainContext, updateOrder: .serial)
        // Another context has turns of its own.
        let other = Flag()
        another.beginUpdate { _ in other.set() }
        await other.wait()
        let nested = Flag()
        held.value?.perform { _ in
            #expect(!second.isSet)
            nested.set()
        }
        await nested.wait()
        #expect(!second.isSet)
        held.value = nil
        await second.wait()
    }

    // Feature MONK-13
    @Test func blocksOfDifferentUpdatesRunSideBySideByDefault() async throws {
        let people = try PeopleStack(order: .Default)
        let barrier = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (one, two) = (Flag(), Flag())
        people.world.beginUpdate { _ in
            barrier.0.signal()
            barrier.1.wait()
            one.set()
        }
        people.world.beginUpdate { _ in
            barrier.0.wait()
            barrier.1.signal()
            two.set()
        }
        await one.wait()
        await two.wait()
        #expect(one.isSet && two.isSet)
    }

    // Feature MONK-13
    @Test func turnsAreTakenInOrder() async throws {
        let people = try PeopleStack(order: .serial)
        let order = Box<[Int]>()
        order.value = []
        let done = Flag()
        let context = people.world.beginUpdateContext()
        for number in 0..<50 {
            let block: @Sendable (CoreDataUpdate) throws -> Void = { _ in
                order.value?.append(number)
                if number == 49 { done.set() }
            }
            if number.isMultiple(of: 2) { people.world.beginUpdate(block) } else { context.perform(block) }
        }
        await done.wait()
        #expect(order.value == Array(0..<50))
    }

    // Feature MONK-13
    @Test func waitingForOneselfStopsTheProgram() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = CoreDataStack(model: PeopleModel.make())
            try stack.addInMemoryStore()
            let updater = try CoreDataContext(stack: stack, updateOrder: .serial)
            let context = updater.beginUpdateContext()
            updater.beginUpdateAndWait { _ in context.performAndWait { _ in } }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("serial context") && said.contains("before it has returned"))
    }
}

/// A variable that several threads share.
// @unchecked Sendable because the value is only touched under `lock`.
final class Box<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value?

    var value: Value? {
        get { lock.withLock { stored } }
        set {
            let old = lock.withLock {
                defer { stored = newValue }
                return stored
            }
            // Let go of outside the lock.
            withExtendedLifetime(old) {}
        }
    }
}
