#if Publishers
import OpenCoreDataKit

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// A publisher whose subscriptions are made on a context's queue, so that the first value is delivered there too.
struct ContextPublisher<Output>: Publisher {
    typealias Failure = Never

    /// The queue; `nil` to subscribe where the caller is.
    let context: NSManagedObjectContext?
    /// Makes the publisher of one subscription.
    let make: () -> AnyPublisher<Output, Never>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        guard let context else { return make().receive(subscriber: subscriber) }
        context.performAndWait { make().receive(subscriber: subscriber) }
    }
}

extension ContextPublisher {
    /// What is read from an object: now, and each time that it is another after a change. Ends when the object is
    /// deleted, or its context is reset or goes.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - concerns: Whether a change that is not about the object may change what is read.
    ///   - isSame: Whether a value is no news after another.
    ///   - read: Reads the value.
    static func following<Object: NSManagedObject>(
        _ object: Object, concerns: ((ContextWatch.Changes) -> Bool)? = nil,
        isSame: @escaping (Output, Output) -> Bool, read: @escaping (Object) -> Output
    ) -> AnyPublisher<Output, Never> {
        let publisher = ContextPublisher(context: object.managedObjectContext) {
            let first = read(object)
            let subject = CurrentValueSubject<Output, Never>(first)
            let token = ObjectValues.follow(
                object, concerns: concerns, from: first, isSame: isSame, read: read
            ) { [weak subject] value in
                if let value { subject?.send(value) } else { subject?.send(completion: .finished) }
            }
            guard let token else { return Just(first).eraseToAnyPublisher() }
            return subject.handleEvents(receiveCancel: { token.cancel() }).eraseToAnyPublisher()
        }
        return publisher.eraseToAnyPublisher()
    }
}

/// Whether two values of any type are known to be equal.
func areKnownEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    func equal<Known: Equatable>(_ left: Known) -> Bool { left == right as? Known }
    guard let known = left as? any Equatable else { return false }
    return equal(known)
}
#endif
