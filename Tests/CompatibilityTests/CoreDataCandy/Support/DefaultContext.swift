import CoreDataCandy

/// The default context of this module's types, as an application declares it: here one for each test that wants it.
enum DefaultContext {
    @TaskLocal static var current: NSManagedObjectContext?
}

extension Fetchable {
    static var context: NSManagedObjectContext? { DefaultContext.current }
}
