import Foundation

/// Which overrides ran, and how often.
final class Ran {
    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    func note(_ name: String) { lock.withLock { counts[name, default: 0] += 1 } }
    subscript(name: String) -> Int { lock.withLock { counts[name, default: 0] } }
    var names: Set<String> { lock.withLock { Set(counts.keys) } }
    func forget() { lock.withLock { counts = [:] } }
}
