public import Foundation

/// The stores of one implementation: the one that holds everything, and the one that a run may change.
public protocol StoreSupply: Sendable {
    /// The store that holds everything.
    var fullStore: URL { get }

    /// Whether a store that holds everything has been made, completely.
    var hasFullStore: Bool { get throws }

    /// Records that the store with all rows is complete, and closed.
    func markFullStoreComplete() throws

    /// Removes a store that was not completed.
    func removeFullStore() throws

    /// Removes what a former run left, and answers where an empty store goes.
    func emptyScratchStore() throws -> URL

    /// A fresh copy of the store that holds everything. It is on disk when this returns, so that writing it does
    /// not disturb a timer.
    func copiedScratchStore() throws -> URL
}
