import CoreDataPlatform

extension StoreLimits {
    #if canImport(ObjectiveC)
    /// How many connections read at a time.
    var readers: Int { max(1, maximumReaders ?? 4) }
    /// How long a read waits, in seconds.
    var patience: Double? { 60 }
    #else
    /// How many connections read at a time.
    var readers: Int { max(1, maximumReaders) }
    /// How long a read waits, in seconds.
    var patience: Double? { readerTimeout }
    #endif
}
