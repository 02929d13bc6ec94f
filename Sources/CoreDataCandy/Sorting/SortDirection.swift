import OpenCoreDataKit

/// The direction of a sort.
public enum SortDirection: Sendable {
    /// Smaller values.
    case ascending
    /// Larger values.
    case descending

    /// The descriptor that a fetch sorts by.
    func descriptor<Entity, Value>(_ keyPath: KeyPath<Entity, Value>, _ comparison: SortComparison) -> NSSortDescriptor
    {
        guard let selector = comparison.selector else {
            return NSSortDescriptor(keyPath: keyPath, ascending: self == .ascending)
        }
        let name = AttributeName.required(of: keyPath)
        return NSSortDescriptor(key: name, ascending: self == .ascending, selector: selector)
    }
}

/// The comparison of strings in a sort.
public enum SortComparison: Sendable {
    /// By their characters' codes.
    case standard
    /// Upper and lower case are the same.
    case caseInsensitive
    /// By the rules of the user's language.
    case localized
    /// By the rules of the user's language; upper and lower case are the same.
    case localizedCaseInsensitive
    /// As file names are sorted: numbers in strings count as numbers.
    case localizedStandard

    var selector: Selector? {
        switch self {
        case .standard: nil
        case .caseInsensitive: Selector("caseInsensitiveCompare:")
        case .localized: Selector("localizedCompare:")
        case .localizedCaseInsensitive: Selector("localizedCaseInsensitiveCompare:")
        case .localizedStandard: Selector("localizedStandardCompare:")
        }
    }
}
