#if Publishers
import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

// Before, a sequence has no type for its errors.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension AsyncSequence where Self: Sendable {
    /// Publishes each element of the sequence, and how it ends. The way back is `values`.
    ///
    /// A subscription reads the sequence in a task of its own, which ends with it, and asks for an element only
    /// when one is wanted. It delivers on that task, on no queue in particular.
    ///
    /// ```swift
    /// database.commits.publisher.sink { commit in print(commit.inserted.count) }
    /// ```
    public var publisher: AnyPublisher<Element, Failure> {
        AsyncSequencePublisher(sequence: self).eraseToAnyPublisher()
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private struct AsyncSequencePublisher<Base: AsyncSequence & Sendable>: Publisher {
    typealias Output = Base.Element
    typealias Failure = Base.Failure

    let sequence: Base

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let reading = SequenceReading<Base>(AnySubscriber(subscriber))
        subscriber.receive(subscription: reading)
        reading.begin(sequence)
    }
}

/// A subscription that reads a sequence for its subscriber.
// @unchecked Sendable because the subscriber is only called by the one task that reads.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class SequenceReading<Base: AsyncSequence & Sendable>: Subscription, @unchecked Sendable {
    typealias Target = AnySubscriber<Base.Element, Base.Failure>

    private struct State {
        var demand = Subscribers.Demand.none
        /// The task, while it waits for demand.
        var waiting: CheckedContinuation<Bool, Never>?
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())
    private let subscriber: Mutex<SendableBox<Target?>>

    init(_ subscriber: Target) { self.subscriber = Mutex(SendableBox(subscriber)) }

    /// Begins to read. A subscription that is cancelled by now reads nothing.
    func begin(_ sequence: Base) {
        let task = Task { await self.read(sequence) }
        let isOver = state.withLock { state in
            state.task = task
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    private func read(_ sequence: Base) async {
        var iterator = sequence.makeAsyncIterator()
        do throws(Base.Failure) {
            while await isWanted() {
                guard let element = try await iterator.next(isolation: nil) else { return end(.finished) }
                deliver(element)
            }
        } catch {
            end(.failure(error))
        }
    }

    // MARK: Subscription

    func request(_ demand: Subscribers.Demand) {
        let waiting = state.withLock { state in
            state.demand += demand
            return state.demand > .none ? state.waiting.take() : nil
        }
        waiting?.resume(returning: true)
    }

    func cancel() {
        let (waiting, task) = state.withLock { state in
            state.isOver = true
            return (state.waiting.take(), state.task.take())
        }
        release()
        waiting?.resume(returning: false)
        task?.cancel()
    }

    // MARK: Reading

    /// Waits until an element is wanted; false when none ever will be.
    private func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let isWanted: Bool? = state.withLock { state in
                if state.isOver { return false }
                if state.demand > .none { return true }
                state.waiting = continuation
                return nil
            }
            if let isWanted { continuation.resume(returning: isWanted) }
        }
    }

    private func deliver(_ element: Base.Element) {
        guard let subscriber = subscriber.withLock({ $0 }).value else { return }
        state.withLock { $0.demand -= 1 }
        let more = subscriber.receive(element)
        state.withLock { $0.demand += more }
    }

    private func end(_ completion: Subscribers.Completion<Base.Failure>) {
        let isOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        guard !isOver else { return }
        release()?.receive(completion: completion)
    }

    /// Releases the subscriber.
    @discardableResult
    private func release() -> Target? { subscriber.exchange(SendableBox(nil)).value }
}
#endif
