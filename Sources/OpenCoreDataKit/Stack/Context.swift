/// A workspace of objects, with the kit's typed verbs. It and its objects are used on its own queue alone: inside the
/// blocks of `write`, `read`, `Draft.perform` and `perform`, or on the main actor for the database's main context.
public typealias Context = NSManagedObjectContext
