import Logging
import Synchronization

/// Notices code that fires the faults of one relationship one by one, each with a query of its own ("N+1 queries"), and
/// names its line.
///
/// Faults of objects that were fetched together are filled together, so this happens to objects that came one by one:
/// by identifier, over several fetches, or where `NSManagedObjectContext` fills no siblings. The remedy is a fetch with
/// `relationshipKeyPathsForPrefetching`.
///
/// Off unless `OPENCOREDATA_FAULT_MONITOR` is set in the environment (`1` for the default of 10 faults, a larger number
/// for that many) or ``threshold`` is set. When it is off it costs nothing; when it is on, each fault that is filled
/// alone costs a walk over the stack. The line is known in debug builds on Linux (Swift 6.2 or later) with debug
/// information; elsewhere the report has the function's name, or the relationship alone.
///
/// May be used from any thread.
public enum FaultMonitor {
    /// What was noticed.
    public struct Report: Sendable {
        /// How many faults there were so far.
        public let count: Int
        /// `Book.author`, or the name of the entity where the relationship is not known.
        public let name: String
        /// The location in the source: `File.swift:42`, or a function's name; nil where it is not known.
        public let location: String?

        /// The report as a sentence.
        public var message: String {
            "\(count) faults of \(name), one by one, at \(location ?? "an unknown location"); "
                + "prefetch with relationshipKeyPathsForPrefetching"
        }
    }

    private struct Key: Hashable {
        let name: String
        let site: CallSite
    }

    private struct State {
        var counts: [Key: Int] = [:]
        var handler: @Sendable (Report) -> Void = {
            let write = DiagnosticLog.writer("OpenCoreData.Faults", level: .warning)
            return { write($0.message) }
        }()
    }

    private static let defaultThreshold = 10
    private static let state = Mutex(State())
    /// How many faults are fine; 0 when the monitor is off.
    private static let limit = Atomic<Int>(launchedLimit(.current))

    static func launchedLimit(_ settings: LaunchSettings) -> Int {
        let asked = settings.level(.faultMonitor) ?? 0
        return asked == 1 ? defaultThreshold : asked
    }

    /// How many single faults of one relationship at one location are fine; one more is reported, once. `nil` switches
    /// the monitor off.
    public static var threshold: Int? {
        get {
            let limit = limit.load(ordering: .relaxed)
            return limit > 0 ? limit : nil
        }
        set {
            limit.store(max(0, newValue ?? 0), ordering: .relaxed)
            state.withLock { $0.counts = [:] }
        }
    }

    /// Sets what is done with reports instead of logging them (swift-log, label `OpenCoreData.Faults`).
    ///
    /// The handler replaces the former one. What was counted before still counts.
    ///
    /// - Parameter handler: Called on the thread on which the fault fired; must not use the context.
    public static func setHandler(_ handler: @escaping @Sendable (Report) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Whether faults are watched.
    static var isOn: Bool { limit.load(ordering: .relaxed) > 0 }

    /// Counts a fault that was filled alone.
    ///
    /// - Parameters:
    ///   - entity: The entity that has the relationship, or of the fault.
    ///   - relationship: The relationship, where it is known.
    @inline(never)
    static func recordSingleFault(of entity: String, relationship: String?) {
        let name = relationship.map { "\(entity).\($0)" } ?? entity
        let key = Key(name: name, site: CallSite.current(behindAccessorOf: relationship))
        let limit = limit.load(ordering: .relaxed)
        let handler = state.withLock { state -> (@Sendable (Report) -> Void)? in
            state.counts[key, default: 0] += 1
            return state.counts[key] == limit + 1 ? state.handler : nil
        }
        handler?(Report(count: limit + 1, name: name, location: key.site.location))
    }
}
