// Options of SQLite stores that Apple's framework does not have. `StoreLimits` has their defaults.

/// Store option: how long a read waits for one of the store's connections (`NSPersistentStoreConnectionPoolMaxSizeKey`
/// says how many there are), in seconds; 0 waits for ever. After that the read throws `NSPersistentStoreTimeoutError`.
public let OpenCoreDataReaderTimeoutOption: String = "OpenCoreDataReaderTimeoutOption"
/// Store option: how long a write waits for other writes of the same coordinator, in seconds; 0 waits for ever. After that
/// the write throws `NSPersistentStoreTimeoutError`. `NSPersistentStoreTimeoutOption` is about other processes.
public let OpenCoreDataWriterTimeoutOption: String = "OpenCoreDataWriterTimeoutOption"
/// Store option: how long the write-ahead log may get before a warning is logged, in bytes; 0 for any length.
public let OpenCoreDataLargestLogOption: String = "OpenCoreDataLargestLogOption"
/// Store option: while the log is longer than `OpenCoreDataLargestLogOption` says, pinned query generations older than this
/// are ended, in seconds; 0 ends none. Reading in an ended generation throws an error that says so.
public let OpenCoreDataGenerationLifetimeOption: String = "OpenCoreDataGenerationLifetimeOption"
/// Store option: whether writes are refused while the log is longer than `OpenCoreDataLargestLogOption` says. They
/// throw `NSPersistentStoreSaveError` until the oldest reader finishes.
public let OpenCoreDataRefusesWritesOption: String = "OpenCoreDataRefusesWritesOption"
/// Store option: how long a statement of SQL may take before it is logged as a warning, in seconds. The line has the
/// statement without its values, and the database's plan for it. At most 30 are logged in a minute. Without the option,
/// the environment variable `OPENCOREDATA_SLOW_STATEMENT` says so; without both, none is logged.
public let OpenCoreDataSlowStatementOption: String = "OpenCoreDataSlowStatementOption"
