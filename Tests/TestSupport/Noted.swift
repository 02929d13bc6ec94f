import Foundation

/// What several threads note, in order.
// @unchecked Sendable because `noted` is only touched under `lock`.
public final class Noted<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [Element] = []

    public init() {}

    public func note(_ element: Element) { lock.withLock { noted.append(element) } }
    public var all: [Element] { lock.withLock { noted } }
    public var count: Int { lock.withLock { noted.count } }
}
