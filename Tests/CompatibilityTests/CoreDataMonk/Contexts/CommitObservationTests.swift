import CoreDataMonk
import TestSupport
import Testing

/// Being notified of commits.
@MainActor struct CommitObservationTests {
    // Feature MONK-22
    @Test(arguments: [
        CoreDataContext.UpdateTarget.mainContext, .rootContext(autoMerge: false), .rootContext(autoMerge: true),
        .persistentStore,
    ])
    func eachCommitIsToldOnceItIsInTheStore(_ target: CoreDataContext.UpdateTarget) async throws {
        let people = try PeopleStack(.database, target: target)
        let (file, told) = (people.file, Counter())
        let observer = people.world.observeCommit {
            let rows = try? SQLiteShell.run("SELECT COUNT(*) FROM ZPERSON", on: file)
            #expect(rows.flatMap { Int($0) } ?? 0 > told.value)
            told.add()
        }
        for number in 1...3 {
            people.world.beginUpdate { update in
                try update.person("P\(number)")
                try update.commit()
            }
            try await eventually("commit \(number) is told") { told.value == number }
        }
        // Nothing to commit, nothing to tell.
        people.world.beginUpdateAndWait { update in try update.commit() }
        people.world.beginUpdateAndWait { update in try update.person("Gone") }
        await people.settle()
        #expect(told.value == 3)
        withExtendedLifetime(observer) {}
    }

    // Feature MONK-22
    @Test func aReleasedObserverIsNotCalled() async throws {
        let people = try PeopleStack()
        let (told, other) = (Counter(), Counter())
        var observer: AnyObject? = people.world.observeCommit { told.add() }
        let witness = people.world.observeCommit { other.add() }
        try await people.update { try $0.person("Ann") }
        try await eventually("both are told") { told.value == 1 && other.value == 1 }
        observer = nil
        try await people.update { try $0.person("Bob") }
        try await eventually("the other is told") { other.value == 2 }
        #expect(told.value == 1)
        withExtendedLifetime((observer, witness)) {}
    }

    // Feature MONK-22
    @Test func theBlockIsCalledOnTheQueueThatWasAskedFor() async throws {
        let people = try PeopleStack()
        let queue = OperationQueue()
        queue.name = "observers"
        let (onQueue, onMain) = (Flag(), Flag())
        let own = people.world.observeCommit(queue: queue) { if OperationQueue.current === queue { onQueue.set() } }
        let main = people.world.observeCommit { MainActor.assumeIsolated { onMain.set() } }
        try await people.update { try $0.person("Ann") }
        await onQueue.wait()
        await onMain.wait()
        #expect(onQueue.isSet && onMain.isSet)
        withExtendedLifetime((own, main)) {}
    }

    // Feature MONK-22
    @Test func eachUpdaterTellsItsOwnAndTheTypeTellsAll() async throws {
        let people = try PeopleStack(target: .rootContext(autoMerge: false))
        let updaters = try (0..<2).map { _ in try CoreDataContext(stack: people.stack) }
        let (first, second, all) = (Counter(), Counter(), Counter())
        let observers: [AnyObject] = [
            updaters[0].observeCommit { first.add() }, updaters[1].observeCommit { second.add() },
            CoreDataContext.observeCommit { all.add() },
        ]
        for (updater, count) in zip(updaters, [1, 2]) {
            for number in 0..<count {
                updater.beginUpdateAndWait { update in
                    try update.person("P\(number)")
                    try update.commit()
                }
            }
        }
        await people.settle()
        // Other tests commit at the same time.
        try await eventually("all are told") { first.value == 1 && second.value == 2 && all.value >= 3 }
        withExtendedLifetime(observers) {}
    }

    // Feature MONK-22
    @Test func aCommitThatDoesNotReachTheStoreIsNotTold() async throws {
        let people = try await PeopleStack.readOnly()
        let told = Counter()
        let observer = people.world.observeCommit { told.add() }
        people.world.beginUpdateAndWait { update in
            try people.first(update, "Ann").age = 41
            try update.commit()
        }
        await people.settle()
        #expect(people.errors.all.count == 1)
        await people.settle()
        #expect(told.value == 0)
        withExtendedLifetime(observer) {}
    }
}
