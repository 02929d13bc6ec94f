#if Publishers
import CoreDataCandy
import TestSupport
import Testing

@Suite struct OperatorTests {
    /// How a publisher ends, and what it tells before.
    private func run<Value>(
        _ publisher: AnyPublisher<Value, CoreDataCandyError>
    ) -> (values: [Value], error: CoreDataCandyError?, isOver: Bool) {
        var values: [Value] = []
        var error: CoreDataCandyError?
        var isOver = false
        let subscription = publisher.sink { completion in
            isOver = true
            if case .failure(let failure) = completion { error = failure }
        } receiveValue: {
            values.append($0)
        }
        withExtendedLifetime(subscription) {}
        return (values, error, isOver)
    }

    // Feature CANDY-24
    @Test func valuesPassAfterTheyWereAssigned() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let newName = "Maghla"
            let plain = run(Just(newName).assign(to: \.name, on: player))
            #expect(plain.values == ["Maghla"])
            #expect(plain.error == nil)
            #expect(plain.isOver)
            #expect(player.current(\.name) == "Maghla")
            let number = run(Just(4).tryValidateAndAssign(to: \.score, on: player))
            #expect(number.values == [4])
            #expect(player.current(\.score) == 4)
            let none = run(Just<String?>(nil).assign(to: \.name, on: player))
            #expect(none.values == [nil])
            #expect(player.current(\.name) == nil)
        }
    }

    // Feature CANDY-24
    @Test func arefusedValueFails() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            for publisher in [
                Just(" ").assign(to: \.name, on: player), Just(" ").tryValidateAndAssign(to: \.name, on: player),
                Just(" ").validate(for: \.name, on: player), Just(" ").tryValidate(for: \.name, on: player),
            ] {
                let refused = run(publisher)
                #expect(refused.values.isEmpty)
                #expect(refused.isOver)
                #expect(refused.error?.errorDescription?.contains("The text must not be empty.") == true)
            }
            #expect(player.current(\.name) == "Zerator")
            let checked = run(Just("Dan").validate(for: \.name, on: player))
            #expect(checked.values == ["Dan"])
            #expect(checked.error == nil)
            #expect(player.current(\.name) == "Zerator")
        }
    }

    // Feature CANDY-24
    @Test func errorsOfOtherKindsAreUnknown() throws {
        struct Own: Error {}
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let failed = run(Fail<Int, Own>(error: Own()).assign(to: \.score, on: player))
            #expect(failed.error == .unknown)
            #expect(failed.values.isEmpty)
        }
    }

    // Feature CANDY-24
    @Test func fourTogglesGiveTheOldValue() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            var seen: [Bool] = []
            let four = [1, 2, 3, 4].publisher.toggle(\.isActive, on: player).handleEvents(receiveOutput: { _ in
                seen.append(player.current(\.isActive))
            }).eraseToAnyPublisher()
            #expect(run(four).values == [1, 2, 3, 4])
            #expect(seen == [true, false, true, false])
            #expect(player.current(\.isActive) == false)
        }
    }

    // Feature CANDY-24
    @Test func anAssignmentMayBeKeptAsASubscription() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let source = PassthroughSubject<String, Never>()
            var subscriptions: Set<AnyCancellable> = []
            source.assign(to: \.name, on: player).store(in: &subscriptions)
            source.send("Maghla")
            // One that is refused is left out, and the next is taken.
            source.send(" ")
            #expect(player.current(\.name) == "Maghla")
            source.send("Dan")
            #expect(player.current(\.name) == "Dan")
            subscriptions.removeAll()
            source.send("Late")
            #expect(player.current(\.name) == "Dan")
        }
    }

    // Feature CANDY-24
    @Test func sortingAndUnwrapping() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let games = ["b", "a", "c"].map { Game($0, in: context) }
            var titles: [[String]] = []
            let sorted = Just(games).sorted(by: .descending(\.title)).sink { titles.append($0.mapCurrent(\.title)) }
            #expect(titles == [["c", "b", "a"]])
            var found: [Int] = []
            let unwrapped = [1, nil, 3].publisher.unwrap().sink { found.append($0) }
            #expect(found == [1, 3])
            sorted.cancel()
            unwrapped.cancel()
        }
    }
}
#endif
