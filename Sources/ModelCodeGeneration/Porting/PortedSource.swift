/// A source that builds off Apple's platforms as far as that can be had by changing it, and what is left to do by hand.
package struct PortedSource: Sendable {
    /// What has to be changed by hand.
    package struct Leftover: Hashable, Sendable {
        /// The line in the changed source, counted from 1.
        package var line: Int
        /// What stands there and what to do, without a period.
        package var sentence: String
    }

    /// The changed source.
    package var text: String
    /// In the order of the source.
    package var leftovers: [Leftover]
    /// Whether a class has `@NSManaged` members, which the plugin supplies.
    package var hasManagedMembers: Bool
}
