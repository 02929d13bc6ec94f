#if canImport(ObjectiveC)
package import CoreData

/// Swift's predicates and sort descriptors as Core Data's.
package enum Translation {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    package static func predicate<T: NSManagedObject>(_ predicate: Predicate<T>) throws -> NSPredicate {
        if let translated = NSPredicate(predicate) { return translated }
        throw CoreDataError.make(
            NSCoreDataError,
            "The predicate \(predicate) about \(T.self) has a part that Foundation doesn't translate.")
    }

    /// Foundation stops the program for a malformed format.
    package static func predicate(format: String, _ arguments: [Any]) throws -> NSPredicate {
        NSPredicate(format: format, argumentArray: arguments)
    }

    package static func sortDescriptor<T: NSManagedObject>(_ order: SortDescriptor<T>) throws -> NSSortDescriptor {
        NSSortDescriptor(order)
    }

    /// Predicates of Apple's framework have no order of identifiers.
    package static func predicate(
        after object: NSManagedObject, by descriptors: [NSSortDescriptor], in context: NSManagedObjectContext
    ) throws -> NSPredicate? {
        throw CoreDataError.make(
            NSCoreDataError, "Stores of Apple's framework can't go on after an object. Use offset(_:) with limit(_:).")
    }
}
#endif
