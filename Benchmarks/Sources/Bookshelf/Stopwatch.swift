#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Wall time by a monotonic clock, and the CPU time of the whole process beside it.
public struct Stopwatch {
    private let wall = seconds(CLOCK_MONOTONIC)
    private let cpu = seconds(CLOCK_PROCESS_CPUTIME_ID)

    /// Starts now.
    public init() {}

    /// The times since the start.
    public func elapsed() -> (wall: Double, cpu: Double) {
        (Self.seconds(CLOCK_MONOTONIC) - wall, Self.seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
