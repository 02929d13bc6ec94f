#if PostgreSQL
import OpenCoreData

/// How long an older transaction, which still runs, has held back what the feed could report otherwise.
final class FeedDelay: Sendable {
    private struct State {
        var beginning: ContinuousClock.Instant?
        var isLogged = false
    }

    private let state = UnfairMutex(State())

    /// What takes longer than this is logged.
    static let longestSilence = Duration.seconds(5)

    /// The seconds so far; 0 where nothing is held back.
    var seconds: Double {
        let beginning = state.withLock { $0.beginning }
        return beginning.map { Self.seconds($0.duration(to: .now)) } ?? 0
    }

    /// Notes what a look at the history found.
    ///
    /// - Returns: How long the feed has been held back, when that should be logged.
    func note(isHeldBack: Bool, at now: ContinuousClock.Instant = .now) -> Double? {
        state.withLock { state in
            guard isHeldBack else {
                state = State()
                return nil
            }
            let beginning = state.beginning ?? now
            state.beginning = beginning
            let duration = beginning.duration(to: now)
            guard duration >= Self.longestSilence, !state.isLogged else { return nil }
            state.isLogged = true
            return Self.seconds(duration)
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// Says which transaction it is, and how long it has run.
    static func sentence(_ seconds: Double, location: String, _ connection: PostgreSQLConnection) throws -> String {
        let oldest = "(pg_snapshot_xmin(pg_current_snapshot())::text::int8 & 4294967295)::text"
        let result = try connection.execute(
            """
            SELECT concat_ws(' ', 'the process', pid, 'of', quote_nullable(application_name), 'which is', state, 'and began',
                round(extract(epoch FROM clock_timestamp() - xact_start)), 's ago')
                FROM pg_stat_activity WHERE backend_xid::text = \(oldest)
            UNION ALL SELECT concat_ws(' ', 'the prepared transaction', quote_literal(gid), 'of',
                round(extract(epoch FROM clock_timestamp() - prepared)), 's ago')
                FROM pg_prepared_xacts WHERE transaction::text = \(oldest)
            """)
        let who = result.first?.string(0) ?? "a transaction that this role can't see"
        return
            "The feed of the store \(location) has been held back for \(Int(seconds)) s by \(who): changes that were "
            + "committed since are reported when it ends."
    }
}
#endif
