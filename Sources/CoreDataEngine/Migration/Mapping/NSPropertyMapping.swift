public import Foundation

/// How the value of one property of a destination object is found.
///
/// Not safe to use from several threads at once.
open class NSPropertyMapping: NSObject {
    /// Creates a mapping without a name and expression.
    ///
    /// Set the name of the destination's property and ``valueExpression``, and add it to the mappings of an entity
    /// mapping.
    public override init() {}

    /// The property of the destination entity.
    open var name: String?

    /// The value. Variables are `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and
    /// `$entityPolicy`. Without an expression the property is left as it is in a new object.
    open var valueExpression: NSExpression?

    /// The application's own values.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// Whether another object is a mapping with the same contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyMapping else { return false }
        return self === other
            || name == other.name && valueExpression == other.valueExpression
                && ContentEquality.equal(userInfo, other.userInfo)
    }

    open override var hash: Int { name.hashValue }

    open override var description: String {
        "<NSPropertyMapping \(name ?? "(no name)") = \(valueExpression?.description ?? "(nothing)")>"
    }
}
