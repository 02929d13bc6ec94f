public import Foundation

/// An immutable description of how to order a collection of objects by a property.
///
/// Objects without a value come first in ascending order. Texts are compared by their Unicode code points unless a
/// selector says otherwise, which is the order of an SQL store too.
open class NSSortDescriptor: NSObject, NSCopying {
    /// What is compared.
    package enum Subject {
        /// The object itself.
        case object
        /// The value at a key path.
        case key(String)
        /// The value at a Swift key path whose name is not known; can order objects in memory only.
        case keyPath(AnyKeyPath)
        /// The descriptor could not be made; using it throws the error.
        case invalid(any Error)
    }

    /// What is compared.
    package final let subject: Subject
    /// Whether smaller values come first.
    public final let ascending: Bool
    /// The method that compares two values, nil if a comparator closure does.
    public final let selector: Selector?
    /// The Swift key path that the descriptor was made from.
    public final let keyPath: AnyKeyPath?
    private let customComparator: Comparator?

    package init(
        subject: Subject, ascending: Bool, selector: Selector?, keyPath: AnyKeyPath? = nil,
        comparator: Comparator? = nil
    ) {
        self.subject = subject
        self.ascending = ascending
        self.selector = selector
        self.keyPath = keyPath
        customComparator = comparator
        super.init()
    }

    /// Creates a descriptor that compares the values at a key path.
    ///
    /// - Parameters:
    ///   - key: The key path, or nil for the objects themselves.
    ///   - ascending: Whether smaller values come first.
    public convenience init(key: String?, ascending: Bool) {
        self.init(subject: Subject(key), ascending: ascending, selector: Selector("compare:"))
    }

    /// Creates a descriptor that compares the values at a key path by a method.
    ///
    /// - Parameters:
    ///   - key: The key path, or nil for the objects themselves.
    ///   - ascending: Whether smaller values come first.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` or
    ///     `localizedStandardCompare:`. Others make the use of the descriptor an error.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(subject: Subject(key), ascending: ascending, selector: selector ?? Selector("compare:"))
    }

    /// Creates a descriptor that compares the values at a key path by a closure.
    ///
    /// An SQL store cannot use it.
    public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self.init(subject: Subject(key), ascending: ascending, selector: nil, comparator: cmptr)
    }

    /// Creates a descriptor that compares the values at a Swift key path.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(
            subject: Subject(keyPath), ascending: ascending, selector: Selector("compare:"), keyPath: keyPath)
    }

    /// Creates a descriptor that compares the values at a Swift key path by a closure.
    ///
    /// An SQL store cannot use it.
    public convenience init<Root, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        self.init(
            subject: Subject(keyPath), ascending: ascending, selector: nil, keyPath: keyPath, comparator: cmptr)
    }

    /// The key path whose values are compared; nil if the objects themselves are.
    open var key: String? {
        if case .key(let key) = subject { key } else { nil }
    }

    /// The closure that compares two values.
    open var comparator: Comparator {
        if let customComparator { return customComparator }
        let ordering = SelectorOrdering(selector)
        return { ordering?.compare($0, $1) ?? .orderedSame }
    }

    /// The comparator closure that the descriptor was made with, if any.
    package final var hasCustomComparator: Bool { customComparator != nil }

    /// The reason why the descriptor cannot be used, or nil.
    package final var formatError: (any Error)? {
        if case .invalid(let error) = subject { return error }
        guard let selector, customComparator == nil, SelectorOrdering(selector) == nil else { return nil }
        return PredicateError.evaluation("Sorting by the selector \"\(selector)\" is not supported.")
    }

    // MARK: Comparing

    /// Compares two objects.
    ///
    /// Where a value cannot be read, it counts as missing.
    open func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        (try? order(object1, object2)) ?? .orderedSame
    }

    /// Compares two objects; failures (unknown key, unknown selector) are thrown.
    package final func order(_ object1: Any?, _ object2: Any?) throws -> ComparisonResult {
        if let formatError { throw formatError }
        return compareValues(try value(of: object1), try value(of: object2))
    }

    /// The value of an object that this descriptor compares.
    package final func value(of object: Any?) throws -> Any? {
        switch subject {
        case .object: return OptionalValue.flatten(object)
        case .key(let key): return try KeyValueAccess.value(of: object, forKeyPath: key)
        case .keyPath(let keyPath):
            guard let object else { return nil }
            return OptionalValue.flatten(object[keyPath: keyPath])
        case .invalid(let error): throw error
        }
    }

    /// Compares two values that were read with ``value(of:)``.
    package final func compareValues(_ left: Any?, _ right: Any?) -> ComparisonResult {
        let result: ComparisonResult
        switch (left, right) {
        case (nil, nil): return .orderedSame
        case (nil, _): result = .orderedAscending
        case (_, nil): result = .orderedDescending
        case (let left?, let right?):
            result = customComparator?(left, right) ?? SelectorOrdering(selector)?.compare(left, right) ?? .orderedSame
        }
        return ascending ? result : result.reversed
    }

    /// A descriptor of the opposite order.
    ///
    /// Apple declares it without a type.
    open var reversedSortDescriptor: Any {
        NSSortDescriptor(
            subject: subject, ascending: !ascending, selector: selector, keyPath: keyPath, comparator: customComparator)
    }

    /// Allows a descriptor that was decoded from an archive to be used.
    ///
    /// Descriptors here always can be.
    open func allowEvaluation() {}

    // MARK: NSObject

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSSortDescriptor else { return false }
        if self === other { return true }
        guard customComparator == nil, other.customComparator == nil else { return false }
        return key == other.key && (key != nil || keyPath == other.keyPath) && ascending == other.ascending
            && selector == other.selector && (formatError == nil) == (other.formatError == nil)
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(ascending)
        hasher.combine(selector)
        return hasher.finalize()
    }

    open override var description: String {
        let subjectText =
            switch subject {
            case .object: "SELF"
            case .key(let key): key
            case .keyPath(let keyPath): "\(keyPath)"
            case .invalid(let error): "\(error)"
            }
        let method = selector.map { NSStringFromSelector($0) } ?? "comparator"
        return "(\(subjectText), \(ascending ? "ascending" : "descending"), \(method))"
    }
}

extension NSSortDescriptor.Subject {
    fileprivate init(_ key: String?) {
        self = key.map { .key($0) } ?? .object
    }

    fileprivate init(_ keyPath: AnyKeyPath) {
        self = KeyPathNames.name(of: keyPath).map { .key($0) } ?? .keyPath(keyPath)
    }
}

extension ComparisonResult {
    /// The result of comparing the other way round.
    package var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}
