import BNRCoreDataStack

/// Values that several threads note down.
// @unchecked Sendable because `values` is only touched under `lock`.
final class Noted<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []

    var all: [Value] { lock.withLock { values } }
    var count: Int { lock.withLock { values.count } }

    func note(_ value: Value) { lock.withLock { values.append(value) } }
}
