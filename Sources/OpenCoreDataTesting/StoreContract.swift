public import OpenCoreData

/// What every store must do, as a list of named checks to run on a store, one by one.
///
/// Use it to test a store of your own, such as a subclass of `NSIncrementalStore`. The checks need no test framework;
/// with Swift Testing they are the arguments of a test:
///
/// ```swift
/// let contract = StoreContract { model in try openMyStore(model) … }
///
/// @Test(arguments: contract.checks) func contract(_ check: StoreCheck) throws {
///     try contract.run(check)
/// }
/// ```
///
/// Safe to use from any thread; checks may run side by side.
public struct StoreContract: Sendable {
    /// Opens one location again and again: a file, a server, for in-memory stores a coordinator.
    public typealias Opener = @Sendable (NSManagedObjectModel) throws -> NSPersistentStoreCoordinator

    /// Features that not every store has.
    public struct Features: OptionSet, Sendable {
        /// The bits of the set.
        public let rawValue: Int
        /// Creates a set from its bits.
        ///
        /// Unknown bits have no effect.
        ///
        /// - Parameter rawValue: The bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The objects are there again when the location is opened again.
        public static let reopening = Features(rawValue: 1)
        /// Two contexts that change one object are notified of the conflict.
        public static let locking = Features(rawValue: 2)
        /// Uniqueness constraints of the model are kept.
        public static let uniqueness = Features(rawValue: 4)
        /// Dictionary results can be computed and grouped.
        public static let aggregates = Features(rawValue: 8)
        /// Metadata of the application are kept.
        public static let metadata = Features(rawValue: 16)
        /// A fetch by a key that the entity doesn't have is an error.
        public static let checkedKeys = Features(rawValue: 32)
        /// Everything.
        public static let all: Features = [.reopening, .locking, .uniqueness, .aggregates, .metadata, .checkedKeys]
    }

    /// The features of the store.
    public let features: Features
    private let newLocation: @Sendable () throws -> Opener

    /// Describes the store that is to be checked.
    ///
    /// Nothing is opened until a check runs. A check asks for one new location, and may open it several times.
    ///
    /// - Parameters:
    ///   - features: What the store can do; checks of other things are left out.
    ///   - newLocation: Makes a new, empty location and returns what opens it. A coordinator that was opened has one
    ///     store. What was opened before is closed by then, by removing the store from its coordinator.
    public init(_ features: Features = .all, newLocation: @escaping @Sendable () throws -> Opener) {
        self.features = features
        self.newLocation = newLocation
    }

    /// The checks for this store, in no order that matters.
    public var checks: [StoreCheck] { StoreCheck.all.filter { features.contains($0.needs) } }

    /// Runs a check on a new location.
    ///
    /// It needs no features: a check that the store isn't meant for can be run as well, and fails if the store can't do
    /// it.
    ///
    /// - Parameter check: The check.
    /// - Throws: `StoreContractFailure` that says what the store should have done, or the store's error.
    public func run(_ check: StoreCheck) throws {
        let probe = try StoreProbe(check: check.name, open: try newLocation())
        try check.body(probe)
    }

    /// Runs all checks and returns what went wrong, by the names of the checks.
    ///
    /// For test frameworks without parameterized tests. A failure doesn't stop the checks after it.
    ///
    /// - Returns: The failures; an empty array if the store does everything that it must.
    public func failures() -> [(check: String, error: any Error)] {
        checks.compactMap { check in
            do {
                try run(check)
                return nil
            } catch {
                return (check.name, error)
            }
        }
    }
}

/// The failure of a check.
public struct StoreContractFailure: Error, CustomStringConvertible, Sendable {
    /// The name of the check.
    public let check: String
    /// A sentence with the expected and the actual result.
    public let sentence: String

    /// The check and the sentence.
    public var description: String { "\(check): \(sentence)" }
}
