/// The methods of contexts and coordinators that the engine's generic ones call only where a class overrides them.
extension OverriddenMethod {
    private final class Plain: NSManagedObjectContext, @unchecked Sendable {}

    private init(_ overriding: NSManagedObjectContext.Type) {
        self.init(of: NSManagedObjectContext.self, overriding: overriding, plain: Plain.self)
    }

    private final class Fetches: NSManagedObjectContext, @unchecked Sendable {
        override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { [] }
    }

    private final class Counts: NSManagedObjectContext, @unchecked Sendable {
        override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int { 0 }
    }

    private final class Waits: NSManagedObjectContext, @unchecked Sendable {
        override func performAndWait(_ block: () -> Void) {}
    }

    private final class PlainCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {}

    private final class WaitingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
        override func performAndWait(_ block: () -> Void) {}
    }

    /// `performAndWait(_:)` of a coordinator.
    static let coordinatorPerformAndWait = OverriddenMethod(
        of: NSPersistentStoreCoordinator.self, overriding: WaitingCoordinator.self, plain: PlainCoordinator.self)
    /// `fetch(_:)` of a context.
    static let fetch = OverriddenMethod(Fetches.self)
    /// `count(for:)` of a context.
    static let count = OverriddenMethod(Counts.self)
    /// `performAndWait(_:)` of a context.
    static let performAndWait = OverriddenMethod(Waits.self)
}
