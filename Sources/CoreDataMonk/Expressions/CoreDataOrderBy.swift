public import OpenCoreDataKit

/// The order of results: one key, or several joined with `|`, the first of which decides.
public struct CoreDataOrderBy {
    /// The comparison of strings. By default, they are compared by their code points.
    public enum Comparison: Sendable {
        /// Upper and lower case are the same.
        case caseInsensitive
        /// By the rules of the user's language.
        case localized
        /// By the rules of the user's language, upper and lower case being the same.
        case localizedCaseInsensitive
        /// As file managers do it: by the rules of the user's language, numbers in a string by their value.
        case localizedStandard

        fileprivate var selector: Selector {
            switch self {
            case .caseInsensitive: Selector("caseInsensitiveCompare:")
            case .localized: Selector("localizedCompare:")
            case .localizedCaseInsensitive: Selector("localizedCaseInsensitiveCompare:")
            case .localizedStandard: Selector("localizedStandardCompare:")
            }
        }
    }

    /// The order as the engine takes it.
    public let descriptors: [NSSortDescriptor]

    /// Smaller values first; those without a value before all others.
    ///
    /// An unknown property is an error of the fetch, not of this call.
    ///
    /// - Parameters:
    ///   - key: A property, or a path through to-one relationships.
    ///   - comparison: How strings are compared.
    /// - Returns: The order, to which others can be joined with `|`.
    public static func ascending(_ key: String, comparison: Comparison? = nil) -> CoreDataOrderBy {
        .sort(NSSortDescriptor(key: key, ascending: true, selector: comparison?.selector))
    }

    /// Greater values first; those without a value after all others.
    ///
    /// An unknown property is an error of the fetch, not of this call.
    ///
    /// - Parameters:
    ///   - key: A property, or a path through to-one relationships.
    ///   - comparison: How strings are compared.
    /// - Returns: The order, to which others can be joined with `|`.
    public static func descending(_ key: String, comparison: Comparison? = nil) -> CoreDataOrderBy {
        .sort(NSSortDescriptor(key: key, ascending: false, selector: comparison?.selector))
    }

    /// An order that was made as a sort descriptor.
    ///
    /// For descriptors from elsewhere. A store in a file can't use one with a comparator.
    ///
    /// - Parameter descriptor: The descriptor, which names a key.
    /// - Returns: The order.
    public static func sort(_ descriptor: NSSortDescriptor) -> CoreDataOrderBy {
        CoreDataOrderBy(descriptors: [descriptor])
    }

    /// The left order, and the right one where the left finds no difference.
    ///
    /// Any number of orders can be joined.
    ///
    /// ```swift
    /// let order: CoreDataOrderBy = .ascending("name") | .descending("age")
    /// ```
    ///
    /// - Parameters:
    ///   - left: The order that decides first.
    ///   - right: The order for what the left finds equal.
    /// - Returns: The joined order.
    public static func | (left: CoreDataOrderBy, right: CoreDataOrderBy) -> CoreDataOrderBy {
        CoreDataOrderBy(descriptors: left.descriptors + right.descriptors)
    }
}
