import Foundation
import OpenCoreData

/// The SQL that a store runs.
// @unchecked Sendable because `noted` is only touched under `lock`.
public final class StatementLog: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [String] = []

    public init() {}

    /// The store option that makes a store write into this log.
    public var options: [AnyHashable: Any] {
        let recorder: @Sendable (String) -> Void = { [weak self] sql in self?.note(sql) }
        return [SQLiteStore.statementRecorderOption: recorder]
    }

    private func note(_ sql: String) { lock.withLock { noted.append(sql) } }

    /// What ran so far.
    public var statements: [String] { lock.withLock { noted } }
    /// The queries among them.
    public var selects: [String] { statements.filter { $0.uppercased().hasPrefix("SELECT") || $0.hasPrefix("WITH") } }

    public func clear() { lock.withLock { noted = [] } }
}
