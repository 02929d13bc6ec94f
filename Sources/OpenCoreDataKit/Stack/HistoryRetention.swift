/// How long a store keeps its history.
///
/// The history says who changed what, for programs that go on where they stopped. A program whose token is older than what
/// is kept finds out by `NSPersistentHistoryTokenExpiredError`, and reads everything again.
public struct HistoryRetention: Sendable, Hashable {
    /// The seconds; `nil` for all of it.
    package let seconds: TimeInterval?

    private init(_ seconds: TimeInterval?) { self.seconds = seconds }

    /// All of it, until it is deleted with `NSPersistentHistoryChangeRequest`.
    public static let forever = HistoryRetention(nil)

    /// Some days.
    ///
    /// A fraction is allowed. History that is older is deleted while the database is open, but only what the database
    /// has read itself.
    ///
    /// - Parameter count: How many; less than 0 counts as 0.
    /// - Returns: The retention.
    public static func days(_ count: Double) -> HistoryRetention { .seconds(count * 86_400) }

    /// Some hours.
    ///
    /// A fraction is allowed. With 0, everything that the database has read may be deleted.
    ///
    /// - Parameter count: How many; less than 0 counts as 0.
    /// - Returns: The retention.
    public static func hours(_ count: Double) -> HistoryRetention { .seconds(count * 3_600) }

    private static func seconds(_ count: Double) -> HistoryRetention { HistoryRetention(max(0, count)) }
}
