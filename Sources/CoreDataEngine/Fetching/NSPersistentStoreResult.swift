public import Foundation

/// What executing a request gives: the superclass of batch, history and asynchronous results.
open class NSPersistentStoreResult: NSObject {
    /// Creates an empty result.
    ///
    /// Results come from ``NSManagedObjectContext/execute(_:)``; a save request's result is an empty one.
    public override init() {
        super.init()
    }
}
