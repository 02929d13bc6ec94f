import Foundation

/// How many damaged bytes a test tries.
public enum DamagedBytes {
    /// What `OPENCOREDATA_DAMAGED_BYTES` asks for; nil for as many as a daily test has time for.
    public static let count = ProcessInfo.processInfo.environment["OPENCOREDATA_DAMAGED_BYTES"].flatMap { Int($0) }
}
