import Foundation

/// A promise that something happens.
// @unchecked Sendable because everything is only touched under `lock`.
public final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isRaised = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init() {}

    public var isSet: Bool { lock.withLock { isRaised } }

    public func set() {
        let waiters = lock.withLock {
            isRaised = true
            defer { waiting = [] }
            return waiting
        }
        for waiter in waiters { waiter.resume() }
    }

    public func wait() async {
        await withCheckedContinuation { continuation in
            let isRaised = lock.withLock {
                if !self.isRaised { waiting.append(continuation) }
                return self.isRaised
            }
            if isRaised { continuation.resume() }
        }
    }
}
