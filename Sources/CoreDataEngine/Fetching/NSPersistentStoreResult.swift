public import Foundation

/// What executing a request gives: the superclass of batch, history and asynchronous results.
open class NSPersistentStoreResult: NSObject {
    /// Creates an empty result.
    public override init() {
        super.init()
    }
}
