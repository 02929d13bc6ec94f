public import Foundation

/// The values of one object, as an incremental store gives them to a context.
///
/// Safe to hand from one thread to another, as long as one thread uses it at a time.
open class NSIncrementalStoreNode: NSObject {
    private let identifier: NSManagedObjectID
    private var values: [String: Any]
    private var revision: UInt64

    /// Creates a node.
    ///
    /// Return it from ``NSIncrementalStore/newValuesForObject(with:with:)``.
    ///
    /// - Parameters:
    ///   - objectID: The identifier of the object.
    ///   - values: Attributes by name, and for to-one relationships `NSManagedObjectID`s, or `NSNull` for none. A
    ///     relationship that is not here is asked for with `newValue(forRelationship:forObjectWith:with:)`.
    ///   - version: The revision of the values; another one means that they changed.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        identifier = objectID
        self.values = values
        revision = version
        super.init()
    }

    /// Replaces the values.
    ///
    /// Contexts that have read the node already don't get the new values before they read again.
    ///
    /// - Parameters:
    ///   - values: As for ``init(objectID:withValues:version:)``.
    ///   - version: The revision of the new values.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values = values
        revision = version
    }

    /// The identifier of the object.
    open var objectID: NSManagedObjectID { identifier }

    /// The revision of the values.
    open var version: UInt64 { revision }

    /// Returns the value of a property.
    ///
    /// The property is found by its name.
    ///
    /// - Parameter prop: The property.
    /// - Returns: An attribute's value; for a to-one relationship an identifier, or `NSNull` if it is empty; `nil` if
    ///   the node has no value.
    open func value(for prop: NSPropertyDescription) -> Any? { values[prop.name] }
}
