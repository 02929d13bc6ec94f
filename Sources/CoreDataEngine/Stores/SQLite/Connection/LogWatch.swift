/// What a pool knows about the length of its write-ahead log.
struct LogWatch {
    /// Whether the log is longer than the limit, and a reader keeps it from being emptied.
    var isOver = false
    /// How long the log's file was when it was last looked at, in bytes, and when that was.
    var lastLook: (size: Int64, time: ContinuousClock.Instant)?
    /// How often it became longer than it should be.
    var warnings = 0
    /// How many pinned generations were ended because of that.
    var endedGenerations = 0
    /// How many writes were refused because of that.
    var refusedWrites = 0

    /// Whether to look more closely at a log of some size: looking costs more than a small transaction.
    mutating func isTimeToLook(size: Int64, limit: Int64) -> Bool {
        let now = ContinuousClock.now
        if let last = lastLook, last.time.duration(to: now) < .seconds(1), size - last.size < limit / 8 { return false }
        lastLook = (size, now)
        return true
    }
}
