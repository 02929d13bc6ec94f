/// How far a backup is.
public struct StoreBackupProgress: Sendable, Hashable {
    /// Bytes that are copied, or linked.
    public var completedBytes: Int64
    /// Bytes of the database and of its external values.
    public var totalBytes: Int64

    /// How far it is, from 0 to 1.
    public var fraction: Double { totalBytes > 0 ? Double(completedBytes) / Double(totalBytes) : 1 }
}
