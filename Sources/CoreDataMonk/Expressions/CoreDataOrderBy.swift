public import OpenCoreDataKit

/// The order of results: one key, or several joined with `|`, the first of which decides.
public struct CoreDataOrderBy {
    /// How strings are compared. Without one they are compared by their code points.
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
    /// - Parameters:
    ///   - key: A property, or a path through to-one relationships.
    ///   - comparison: How strings are compared.
    public static func ascending(_ key: String, comparison: Comparison? = nil) -> CoreDataOrderBy {
        .sort(NSSortDescriptor(key: key, ascending: true, selector: comparison?.selector))
    }

    /// Greater values first; those without a value after all others.
    ///
    /// - Parameters:
    ///   - key: A property, or a path through to-one relationships.
    ///   - comparison: How strings are compared.
    public static func descending(_ key: String, comparison: Comparison? = nil) -> CoreDataOrderBy {
        .sort(NSSortDescriptor(key: key, ascending: false, selector: comparison?.selector))
    }

    /// An order that was made as a sort descriptor.
    public static func sort(_ descriptor: NSSortDescriptor) -> CoreDataOrderBy {
        CoreDataOrderBy(descriptors: [descriptor])
    }

    /// The left order, and the right one where the left finds no difference.
    public static func | (left: CoreDataOrderBy, right: CoreDataOrderBy) -> CoreDataOrderBy {
        CoreDataOrderBy(descriptors: left.descriptors + right.descriptors)
    }
}
