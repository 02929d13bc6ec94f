import Foundation

/// The user info of a notification about changes: sets, and the tokens of a save, under some of a few keys.
///
/// A dictionary of such keys costs more to fill than the sets that it carries: each key is boxed, hashed and compared. So
/// there is a pattern for each choice of keys, made once, whose copies only get other values.
///
/// The sets are Swift's own: Foundation's are no sets to Swift when they are of a subclass, and Swift's are both.
package struct ChangeInfo {
    /// The key of what took the place of new objects: identifiers by those that the new ones had.
    package static let replacedKey = "OpenCoreDataReplacedObjectIDs"
    /// The key under which Apple's framework posts the history token of a save, which it has no constant for.
    private static let newChangeTokenKey = "newChangeToken"
    /// The key that marks a change as a merge. Apple's framework has no constant for it; its value is an empty set.
    private static let mergeKey = "NSObjectsChangedByMergeChangesKey"

    /// By choice of keys, a bit for each: the indexes of the values.
    private let patterns: [[AnyHashable: Int]]

    // nonisolated(unsafe) because nothing writes to these after they were made, once for the process.
    nonisolated(unsafe) static let objects = ChangeInfo(
        NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
        NSPersistentHistoryTokenKey, NSManagedObjectContextQueryGenerationKey)
    nonisolated(unsafe) static let identifiers = ChangeInfo(
        NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey,
        NSPersistentHistoryTokenKey, NSManagedObjectContextQueryGenerationKey)

    private init(_ keys: String...) {
        patterns = (0..<1 << keys.count).map { choice in
            var pattern: [AnyHashable: Int] = [:]
            for (index, key) in keys.enumerated() where choice >> index & 1 == 1 {
                pattern[key] = index
                if key == NSPersistentHistoryTokenKey { pattern[Self.newChangeTokenKey] = index }
            }
            return pattern
        }
    }

    /// Marks a user info as that of a merge.
    static func markMerge(_ info: inout [AnyHashable: Any]) { info[mergeKey] = Set<NSManagedObject>() }

    /// The user info with the sets, and the tokens, that are not nil.
    func callAsFunction(
        inserted: Any?, updated: Any?, deleted: Any?, refreshed: Any? = nil, tokens: SaveTokens = SaveTokens()
    ) -> [AnyHashable: Any] {
        let choice =
            (inserted == nil ? 0 : 1) | (updated == nil ? 0 : 2) | (deleted == nil ? 0 : 4)
            | (refreshed == nil ? 0 : 8) | (tokens.historyToken == nil ? 0 : 16) | (tokens.generation == nil ? 0 : 32)
        return patterns[choice].mapValues { index in
            let value: Any? =
                switch index {
                case 0: inserted
                case 1: updated
                case 2: deleted
                case 3: refreshed
                case 4: tokens.historyToken
                default: tokens.generation
                }
            // Each index of the pattern stands for a value that is not nil.
            return value ?? NSSet()
        }
    }
}
