#if Publishers
import CoreDataCandy
import TestSupport
import Testing

/// Sequences as publishers, and back.
@Suite struct AsyncSequencePublisherTests {
    /// What a publisher tells until it ends.
    private func told<Value: Sendable>(
        _ publisher: AnyPublisher<Value, some Error>
    ) async -> (values: [Value], error: (any Error)?) {
        let (values, errors, isOver) = (Noted<Value>(), Noted<any Error>(), Flag())
        let subscription = publisher.sink { completion in
            if case .failure(let error) = completion { errors.note(error) }
            isOver.set()
        } receiveValue: {
            values.note($0)
        }
        await isOver.wait()
        withExtendedLifetime(subscription) {}
        return (values.all, errors.all.first)
    }

    @Test func elementsAndTheEndAreTold() async {
        let (numbers, source) = AsyncStream.makeStream(of: Int.self)
        for number in 1...3 { source.yield(number) }
        source.finish()
        let (values, error) = await told(numbers.publisher)
        #expect(values == [1, 2, 3])
        #expect(error == nil)
    }

    @Test func anErrorEndsThePublisher() async {
        let (numbers, source) = AsyncThrowingStream.makeStream(of: Int.self)
        source.yield(1)
        source.finish(throwing: Refusal())
        let (values, error) = await told(numbers.publisher)
        #expect(values == [1])
        #expect(error as? Refusal == Refusal())
    }

    @Test func aPublisherOfASequenceIsASequenceAgain() async {
        let (numbers, source) = AsyncStream.makeStream(of: Int.self)
        for number in 1...3 { source.yield(number) }
        source.finish()
        var values: [Int] = []
        for await number in numbers.publisher.values { values.append(number) }
        #expect(values == [1, 2, 3])
    }

    /// Counts how many elements were asked for.
    private struct Asked: AsyncSequence, Sendable {
        let asked = Noted<Int>()

        struct AsyncIterator: AsyncIteratorProtocol {
            let asked: Noted<Int>

            mutating func next() async -> Int? {
                asked.note(asked.count)
                return asked.count
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(asked: asked) }
    }

    /// Wants what it is told to want.
    private final class Reader: Subscriber, Sendable {
        let (begun, second, third) = (Flag(), Flag(), Flag())
        let subscriptions = Noted<SendableSubscription>()
        let seen = Noted<Int>()

        // @unchecked Sendable because a subscription may be asked from anywhere.
        struct SendableSubscription: @unchecked Sendable {
            let subscription: any Subscription
        }

        func receive(subscription: any Subscription) {
            subscriptions.note(SendableSubscription(subscription: subscription))
            begun.set()
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            seen.note(input)
            if seen.count == 2 { second.set() }
            if seen.count == 3 { third.set() }
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test func elementsAreReadWhenTheyAreWanted() async throws {
        let (sequence, reader) = (Asked(), Reader())
        sequence.publisher.subscribe(reader)
        await reader.begun.wait()
        let subscription = try #require(reader.subscriptions.all.first).subscription
        subscription.request(.max(2))
        await reader.second.wait()
        #expect(sequence.asked.count == 2)
        subscription.request(.max(1))
        await reader.third.wait()
        #expect(sequence.asked.count == 3)
        #expect(reader.seen.all == [1, 2, 3])
        subscription.cancel()
    }

    @Test func cancellingEndsTheReading() async {
        let (numbers, source) = AsyncStream.makeStream(of: Int.self)
        let (isHeard, isOver) = (Flag(), Flag())
        source.onTermination = { _ in isOver.set() }
        source.yield(1)
        let subscription = numbers.publisher.sink { _ in isHeard.set() }
        await isHeard.wait()
        subscription.cancel()
        await isOver.wait()
    }
}
#endif
