import CoreDataCandy
import Testing

/// What no overload of the library accepts ends at the ones below, so that tests can say that it doesn't compile.
struct NotOffered {}

/// A comparison that the library doesn't have.
struct NoComparison<Entity: NSManagedObject, Value, Other> {}

extension RequestBuilder where Step == CreationStep {
    fileprivate func `where`<V, T>(_ predicate: FetchPredicate<Entity, V, T>) -> NotOffered { NotOffered() }
}

extension RequestBuilder {
    @_disfavoredOverload
    fileprivate func then<V>(by keyPath: KeyPath<Entity, V>) -> NotOffered { NotOffered() }

    @_disfavoredOverload
    fileprivate func sorted<V>(by keyPath: KeyPath<Entity, V>) -> NotOffered { NotOffered() }

    @_disfavoredOverload
    fileprivate func and<V, T>(_ predicate: FetchPredicate<Entity, V, T>) -> NotOffered { NotOffered() }

    @_disfavoredOverload
    fileprivate func `where`<V, O>(_ nothing: NoComparison<Entity, V, O>) -> NotOffered { NotOffered() }
}

@_disfavoredOverload
private func == <Entity: NSManagedObject, Value, Other>(
    _: KeyPath<Entity, Value>, _: Other
) -> NoComparison<Entity, Value, Other> {
    NoComparison()
}

@Suite struct RequestStepTests {
    // Feature CANDY-47
    @Test func theTypeSaysTheStep() throws {
        // The entity's name is that of a model in use.
        let stack = try StoreKind.memory.stack()
        defer { withExtendedLifetime(stack) {} }
        let creation: RequestBuilder<PlayerEntity, CreationStep, Player> = Player.request()
        let target: RequestBuilder<PlayerEntity, TargetStep, Player?> = creation.first()
        let predicate: RequestBuilder<PlayerEntity, PredicateStep, Player?> = target.where(\.age == 20)
        let sort: RequestBuilder<PlayerEntity, SortStep, Player?> = predicate.sorted(by: \.age)
        #expect(sort.request.predicate?.predicateFormat == "age == 20")
        #expect(sort.request.sortDescriptors?.map(\.key) == ["age"])
        #expect(sort.request.entityName == "Player")
    }

    // Feature CANDY-47
    @Test func aPredicateNeedsATarget() {
        #expect(type(of: Player.request().where(\.age == 20)) == NotOffered.self)
    }

    // Feature CANDY-44, CANDY-47
    @Test func thenNeedsSortedWhichComesOnce() {
        #expect(type(of: Player.request().all().then(by: \.age)) == NotOffered.self)
        #expect(type(of: Player.request().sorted(by: \.age)) == NotOffered.self)
        #expect(type(of: Player.request().all().sorted(by: \.age).sorted(by: \.name)) == NotOffered.self)
        #expect(type(of: Player.request().all().sorted(by: \.age).and(\.age == 2)) == NotOffered.self)
    }

    // Feature CANDY-37
    @Test func aValueOfAnotherTypeIsNoComparison() {
        #expect(type(of: Player.request().all().where(\.name == 3)) == NotOffered.self)
        #expect(type(of: Player.request().all().where(\.age == "3")) == NotOffered.self)
    }
}
