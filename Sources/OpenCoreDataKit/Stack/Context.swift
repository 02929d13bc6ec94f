/// A managed object context, with the kit's typed methods. Use it and its objects only on its queue: inside the blocks
/// of `write`, `read`, `Draft.perform` and `perform`, or on the main actor for the database's main context.
public typealias Context = NSManagedObjectContext
