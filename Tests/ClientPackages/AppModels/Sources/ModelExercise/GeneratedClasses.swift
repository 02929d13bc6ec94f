public import Foundation
public import OpenCoreData

/// The classes that were made of one model.
public struct GeneratedClasses {
    let module: String
    let model: URL
    let touch: (NSManagedObject) -> Int
    let count: (NSManagedObjectContext) throws -> [String: Int]

    /// - Parameters:
    ///   - module: The module of the classes.
    ///   - bundle: Where the module's model is.
    ///   - touch: Reads and writes back every property of an object by its accessors, and takes a member of every
    ///     to-many relationship out and puts it in again; returns how many accessors it used.
    ///   - count: How many objects each class's own fetch request finds, by the names of the entities.
    public init(
        module: String, bundle: Bundle, touch: @escaping (NSManagedObject) -> Int,
        count: @escaping (NSManagedObjectContext) throws -> [String: Int]
    ) {
        self.module = module
        model = bundle.bundleURL.appendingPathComponent("Model.xcdatamodel")
        self.touch = touch
        self.count = count
    }
}

/// Reads a property and writes back what was there.
public func rewrite<Object: NSManagedObject, Value>(
    _ object: Object, _ property: ReferenceWritableKeyPath<Object, Value>
) {
    let value = object[keyPath: property]
    object[keyPath: property] = value
}

/// A member of a to-many relationship; `nil` when it has none.
public func member<Member: NSManagedObject>(_ object: NSManagedObject, _ key: String, _: Member.Type) -> Member? {
    switch object.value(forKey: key) {
    case let set as NSSet: set.anyObject() as? Member
    case let set as NSOrderedSet: set.firstObject as? Member
    default: nil
    }
}
