public import Foundation

/// One object of an atomic store, with its values.
///
/// Belongs to its store, which uses it on one thread at a time.
open class NSAtomicStoreCacheNode: NSObject {
    private let identifier: NSManagedObjectID

    /// Creates a node without values.
    ///
    /// The ID comes from ``NSAtomicStore/objectID(for:withReferenceObject:)``. Set ``propertyCache``, and add the node
    /// to its store.
    ///
    /// - Parameter moid: The identifier of the object.
    public init(objectID moid: NSManagedObjectID) {
        identifier = moid
        super.init()
    }

    /// The identifier of the object.
    open var objectID: NSManagedObjectID { identifier }

    /// The values by property name: attributes as the object has them, for to-one relationships a node, for to-many
    /// relationships a collection of nodes.
    open var propertyCache: NSMutableDictionary?

    /// The value of a property.
    ///
    /// The result is `nil` if the node has no value.
    ///
    /// - Parameter key: The name of the property.
    open func value(forKey key: String) -> Any? { propertyCache?[key] }

    /// Sets the value of a property.
    ///
    /// `nil` removes the value. The ``propertyCache`` is created if there isn't any yet.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The name of the property.
    open func setValue(_ value: Any?, forKey key: String) {
        let cache = propertyCache ?? NSMutableDictionary()
        propertyCache = cache
        if let value {
            cache.setObject(value, forKey: NSString(string: key))
        } else {
            cache.removeObject(forKey: NSString(string: key))
        }
    }
}
