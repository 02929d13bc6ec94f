/// What a backup has copied.
public struct StoreBackupSummary: Sendable, Hashable {
    /// Bytes of the database file.
    public var databaseBytes: Int64
    /// How many values in files of their own came along.
    public var externalValues: Int
    /// Bytes of these files.
    public var externalBytes: Int64
}
