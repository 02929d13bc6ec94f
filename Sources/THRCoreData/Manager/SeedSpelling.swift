public import OpenCoreDataKit

// The spelling of the library's first users, with capitals.

extension NSManagedObjectContextConcurrencyType {
    /// The same as `privateQueueConcurrencyType`.
    public static var PrivateQueueConcurrencyType: Self { .privateQueueConcurrencyType }
    /// The same as `mainQueueConcurrencyType`.
    public static var MainQueueConcurrencyType: Self { .mainQueueConcurrencyType }
}
