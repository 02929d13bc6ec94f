#if canImport(ObjectiveC)
package import CoreData

/// Contexts that are held weakly.
package final class WeakContexts: Sendable {
    private struct Entry: @unchecked Sendable {
        // The runtime guards the weak reference, and of the context only constants are read.
        weak var context: NSManagedObjectContext?
    }

    private let entries = Mutex<[Entry]>([])

    package init() {}

    package func add(_ context: NSManagedObjectContext) {
        let entry = Entry(context: context)
        entries.withLock { entries in
            entries.removeAll { $0.context == nil }
            entries.append(entry)
        }
    }

    /// The contexts that are alive.
    package var all: [NSManagedObjectContext] { entries.withLock { $0 }.compactMap(\.context) }
}

/// The contexts that merge by themselves, as far as the kit has made them: Apple's framework doesn't give them.
private let followingContexts = WeakContexts()

extension NSManagedObjectContext {
    /// Makes the context merge what others save, and says so to those who wait for it.
    package func followChanges(_ follows: Bool) {
        automaticallyMergesChangesFromParent = follows
        if follows { followingContexts.add(self) }
    }

    /// The contexts that merge automatically what this one saves.
    package var followers: [NSManagedObjectContext] {
        followingContexts.all.filter { context in
            guard context !== self else { return false }
            if let parent = context.parent { return parent === self }
            return self.parent == nil && context.persistentStoreCoordinator === persistentStoreCoordinator
        }
    }

    /// How many items an import handles between saves, for contexts that are made for one; else 0.
    package var importBatchSize: Int {
        get { userInfo[Self.importBatchSizeKey] as? Int ?? 0 }
        set { userInfo[Self.importBatchSizeKey] = newValue }
    }

    private static var importBatchSizeKey: String { "OpenCoreDataKit.importBatchSize" }
}
#endif
