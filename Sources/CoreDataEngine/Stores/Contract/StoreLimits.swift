public import Foundation

/// How much a SQLite store takes, and how long it lets others wait. Not part of Apple's framework.
///
/// A coordinator gets them as options of the store, one by one; see `OpenCoreDataReaderTimeoutOption` and the constants
/// beside it.
public struct StoreLimits: Sendable, Hashable {
    /// How many connections read at a time (`NSPersistentStoreConnectionPoolMaxSizeKey`).
    public var maximumReaders = 4
    /// How long a read waits for one of them, in seconds; `nil` waits for ever.
    public var readerTimeout: TimeInterval? = 60
    /// How long a write waits for other writes of the same coordinator, in seconds; `nil` waits for ever, as Apple's
    /// framework does. How long it waits for other processes is `NSPersistentStoreTimeoutOption`.
    public var writerTimeout: TimeInterval?
    /// How long the write-ahead log may get before a warning is logged, in bytes; `nil` for any length.
    public var largestLog: Int64? = 256 << 20
    /// If the log is longer than that, query generations that have been pinned for longer than this are ended, in
    /// seconds; `nil` ends none.
    ///
    /// Reading in an ended generation throws an error; pin the context to the current generation then.
    public var generationLifetime: TimeInterval?
    /// Whether writes are refused while the log is longer than that.
    public var refusesWrites = false

    /// The limits that hold where nothing is said.
    ///
    /// There are 4 readers, a read waits for up to 60 seconds, and a warning is logged for a log of more than 256 MiB.
    /// Writes wait for each other without a limit, and no generation is ended.
    public init() {}

    /// The same as options of a store.
    package var options: [AnyHashable: Any] {
        [
            NSPersistentStoreConnectionPoolMaxSizeKey: maximumReaders,
            OpenCoreDataReaderTimeoutOption: readerTimeout ?? 0,
            OpenCoreDataWriterTimeoutOption: writerTimeout ?? 0,
            OpenCoreDataLargestLogOption: largestLog ?? 0,
            OpenCoreDataGenerationLifetimeOption: generationLifetime ?? 0,
            OpenCoreDataRefusesWritesOption: refusesWrites,
        ]
    }

    /// Reads the options of a store.
    ///
    /// - Throws: `NSPersistentStoreOpenError` naming an option whose value is no such number.
    package init(_ options: [AnyHashable: Any]?, path: String?) throws {
        let reader = OptionReader(options: options ?? [:], path: path)
        if let size = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue, size > 0 {
            maximumReaders = size
        }
        readerTimeout = try reader.limit(OpenCoreDataReaderTimeoutOption, default: readerTimeout)
        writerTimeout = try reader.limit(OpenCoreDataWriterTimeoutOption, default: writerTimeout)
        generationLifetime = try reader.limit(OpenCoreDataGenerationLifetimeOption, default: generationLifetime)
        let bytes = try reader.limit(OpenCoreDataLargestLogOption, default: largestLog.map(Double.init))
        largestLog = bytes.map { Int64(exactly: $0.rounded(.up)) ?? .max }
        refusesWrites = NSPersistentStore.flag(options?[OpenCoreDataRefusesWritesOption]) ?? refusesWrites
    }

    private struct OptionReader {
        let options: [AnyHashable: Any]
        let path: String?

        /// A number, where 0 and infinity represent no limit.
        func limit(_ name: String, default standard: Double?) throws -> Double? {
            guard let value = options[name], !(value is NSNull) else { return standard }
            guard !(value is Bool), let number = (value as? NSNumber)?.doubleValue, number >= 0 else {
                throw CoreDataError.make(
                    NSPersistentStoreOpenError,
                    "The store option '\(name)' has to be a number of 0 or more, not '\(ValueDescription.string(of: value))'.",
                    path: path)
            }
            return number == 0 || number == .infinity ? nil : number
        }
    }
}
