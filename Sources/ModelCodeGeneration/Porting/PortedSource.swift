/// A source that builds off Apple's platforms as far as that can be had by changing it, and what is left to do by hand.
package struct PortedSource: Sendable {
    /// What has to be changed by hand.
    package struct Leftover: Hashable, Sendable {
        /// The line in the changed source, counted from 1.
        package var line: Int
        /// What stands there and what to do, without a period.
        package var sentence: String
    }

    /// A property that `@objc` makes known to key-value coding on Apple's platforms, and the plugin elsewhere.
    package struct KeyedProperty: Hashable, Sendable {
        /// The line in the changed source, counted from 1.
        package var line: Int
        package var className: String
        package var name: String
        /// `private` or `fileprivate`, which keeps the plugin from making it known.
        package var privacy: String?
    }

    /// The changed source.
    package var text: String
    /// In the order of the source.
    package var leftovers: [Leftover]
    /// Whether a class has `@NSManaged` members, which the plugin supplies.
    package var hasManagedMembers: Bool
    /// The keys that sort descriptors and controllers read.
    package var keys: Set<String>
    /// Properties of classes that key-value coding finds besides those of the model.
    package var keyedProperties: [KeyedProperty]
}
