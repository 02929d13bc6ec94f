public import Foundation

/// An immutable description of how to order a collection of objects by a property.
///
/// Objects without a value come first in ascending order. Strings are compared by their Unicode code points unless a
/// selector says otherwise, which is the order of an SQL store too.
open class NSSortDescriptor: NSObject, NSCopying, NSSecureCoding {
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

    /// Whether smaller values come first.
    public final let ascending: Bool
    // The rest is written while the descriptor is being made only.
    /// What is compared.
    package private(set) final var subject: Subject
    /// The method that compares two values, nil if a comparator closure does.
    public private(set) final var selector: Selector?
    /// The Swift key path that the descriptor was made from.
    public private(set) final var keyPath: AnyKeyPath?
    private final var customComparator: Comparator?

    package convenience init(subject: Subject, ascending: Bool, selector: Selector?, keyPath: AnyKeyPath? = nil) {
        self.init(key: nil, ascending: ascending)
        self.subject = subject
        self.selector = selector
        self.keyPath = keyPath
    }

    /// Creates a descriptor that compares the values at a key path.
    ///
    /// Objects without a value come first in ascending order and last in descending order. A fetch throws if the entity
    /// has no such key.
    ///
    /// ```swift
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "author.name", ascending: true), NSSortDescriptor(key: "year", ascending: false),
    /// ]
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key path, or nil for the objects themselves.
    ///   - ascending: Whether smaller values come first.
    public init(key: String?, ascending: Bool) {
        subject = Subject(key)
        self.ascending = ascending
        selector = Selector("compare:")
        super.init()
    }

    /// Creates a descriptor that compares the values at a key path by a method.
    ///
    /// With `nil`, values are compared as by `compare:`. Use `localizedStandardCompare:` for lists that people read.
    ///
    /// - Parameters:
    ///   - key: The key path, or nil for the objects themselves.
    ///   - ascending: Whether smaller values come first.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` or
    ///     `localizedStandardCompare:`. Others make the use of the descriptor an error.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        subject = Subject(key)
        self.ascending = ascending
        self.selector = selector ?? Selector("compare:")
        super.init()
    }

    /// Creates a descriptor that compares the values at a key path with a closure. SQL stores can't use it.
    ///
    /// The closure isn't called for objects without a value, which come first in ascending order. For descending order
    /// its result is reversed.
    ///
    /// - Parameters:
    ///   - key: The key path; `nil` for the objects themselves.
    ///   - ascending: Whether smaller values come first.
    ///   - cmptr: Compares two values.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        subject = Subject(key)
        self.ascending = ascending
        customComparator = cmptr
        super.init()
    }

    /// Creates a descriptor that compares the values at a Swift key path.
    ///
    /// Values are compared as by `compare:`. A key path whose name isn't known can order objects in memory, but not in
    /// a store.
    ///
    /// - Parameters:
    ///   - keyPath: A key path of a class whose key paths are known by name, such as a managed object class.
    ///   - ascending: Whether smaller values come first.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(
            subject: Subject(keyPath), ascending: ascending, selector: Selector("compare:"), keyPath: keyPath)
    }

    /// Creates a descriptor that compares the values at a Swift key path by a closure.
    ///
    /// An SQL store cannot use it.
    ///
    /// - Parameters:
    ///   - keyPath: A key path of a class whose key paths are known by name.
    ///   - ascending: Whether smaller values come first.
    ///   - cmptr: Compares two values.
    public convenience init<Root, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        self.init(key: nil, ascending: ascending, comparator: cmptr)
        subject = Subject(keyPath)
        self.keyPath = keyPath
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

    /// Compares two objects. A value that can't be read counts as missing.
    ///
    /// The result is reversed for a descending order. Objects are the same if the descriptor can't be used, for example
    /// because of a selector that isn't known.
    ///
    /// - Parameters:
    ///   - object1: One object.
    ///   - object2: The other object.
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
        let reversed = NSSortDescriptor(
            subject: subject, ascending: !ascending, selector: selector, keyPath: keyPath)
        reversed.customComparator = customComparator
        return reversed
    }

    /// Allows a descriptor that was decoded from an archive to be used.
    ///
    /// Descriptors here always can be.
    open func allowEvaluation() {}

    // MARK: Archiving

    /// Sort descriptors can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a descriptor; nil for the archive of one that could not be archived.
    ///
    /// Descriptors with a comparator closure, and those with a key path that has no name, aren't archived.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "NSAscending") else { return nil }
        let key = coder.decodeObject(of: NSString.self, forKey: "NSKey").map { String($0) }
        let selector = coder.decodeObject(of: NSString.self, forKey: "NSSelector").map { Selector(String($0)) }
        self.init(key: key, ascending: coder.decodeBool(forKey: "NSAscending"), selector: selector)
    }

    /// Encodes the descriptor.
    ///
    /// One with a comparator closure, or with a key path that has no name, leaves its place empty, because an archiver has
    /// no way to be given an error: reading such an archive is an error.
    ///
    /// - Parameter coder: The archive.
    open func encode(with coder: NSCoder) {
        switch (subject, customComparator) {
        case (.object, nil), (.key, nil):
            if let key { coder.encode(NSString(string: key), forKey: "NSKey") }
            if let selector { coder.encode(NSString(string: NSStringFromSelector(selector)), forKey: "NSSelector") }
            coder.encode(ascending, forKey: "NSAscending")
        // Foundation stops the program when an archiver gets an error, whatever its policy.
        default: break
        }
    }

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
        let subject =
            switch subject {
            case .object: "SELF"
            case .key(let key): key
            case .keyPath(let keyPath): "\(keyPath)"
            case .invalid(let error): "\(error)"
            }
        let method = selector.map { NSStringFromSelector($0) } ?? "comparator"
        return "(\(subject), \(ascending ? "ascending" : "descending"), \(method))"
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
