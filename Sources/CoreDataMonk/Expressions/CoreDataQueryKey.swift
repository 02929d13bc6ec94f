prefix operator %
postfix operator %

/// The name of a property, or a path to one through relationships, as conditions and groupings take it.
///
/// Made with the operator `%`, which distinguishes a key from a value: `%"name"`, `%"friend.age"`.
public struct CoreDataQueryKey: CustomStringConvertible {
    /// The number of related objects that have to satisfy a comparison.
    public enum Modifier: Sendable {
        /// The path reaches one value.
        case direct
        /// At least one.
        case any
        /// All related objects. True for an empty relationship.
        case all
    }

    /// The key paths: one, or several when keys were joined with `|` for a grouping.
    public let paths: [String]
    /// How a comparison applies to the related objects.
    public let modifier: Modifier

    init(paths: [String], modifier: Modifier = .direct) {
        self.paths = paths
        self.modifier = modifier
    }

    /// A key of one path.
    ///
    /// Nothing is checked: an unknown path is an error of the fetch.
    ///
    /// - Parameter path: The name of a property, or a path such as `friend.age`.
    public init(_ path: String) { self.init(paths: [path]) }

    /// The same key for comparisons that one related object at least has to satisfy.
    public var any: CoreDataQueryKey { CoreDataQueryKey(paths: paths, modifier: .any) }

    /// The same key for comparisons that every related object has to satisfy.
    public var all: CoreDataQueryKey { CoreDataQueryKey(paths: paths, modifier: .all) }

    /// The key as it is written in a predicate.
    public var description: String {
        let names = paths.joined(separator: ", ")
        return switch modifier {
        case .direct: names
        case .any: "ANY " + names
        case .all: "ALL " + names
        }
    }

    /// The key itself: in `%"friends.age"%.any` the sign in front applies to what stands behind it.
    ///
    /// Nothing is changed.
    ///
    /// - Parameter key: The key.
    /// - Returns: The key.
    public static prefix func % (key: CoreDataQueryKey) -> CoreDataQueryKey { key }

    /// The key itself, so that `%"friends.age"%.any` can be written.
    ///
    /// Nothing is changed.
    ///
    /// - Parameter key: The key.
    /// - Returns: The key.
    public static postfix func % (key: CoreDataQueryKey) -> CoreDataQueryKey { key }

    /// Several keys to group by.
    ///
    /// Only groupings take several keys: a comparison with them stops the program.
    ///
    /// - Parameters:
    ///   - left: A key.
    ///   - right: Another key.
    /// - Returns: The joined keys.
    public static func | (left: CoreDataQueryKey, right: CoreDataQueryKey) -> CoreDataQueryKey {
        CoreDataQueryKey(paths: left.paths + right.paths)
    }
}

/// A key of a property or of a path through relationships: `%"name"`, `%"friend.age"`.
///
/// An unknown path is an error of the fetch, not of this operator.
///
/// - Parameter path: The name of a property, or a path to one.
/// - Returns: The key.
public prefix func % (path: String) -> CoreDataQueryKey { CoreDataQueryKey(path) }

/// A key of a property, with the sign behind the name: `"name"%`.
///
/// The same as the operator in front of the name.
///
/// - Parameter path: The name of a property, or a path to one.
/// - Returns: The key.
public postfix func % (path: String) -> CoreDataQueryKey { CoreDataQueryKey(path) }
