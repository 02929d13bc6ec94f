import Foundation

#if !canImport(ObjectiveC)
/// Looks for what Foundation's archiver stops the program at, off Apple's systems: decimals, and collections as keys of
/// dictionaries or as elements of sets. It also looks into what objects of the program's classes encode.
///
/// Arrays and sets are allowed as keys or elements of the value itself, as in a `Set<[String]>`, which Foundation can
/// archive and `ArchiveReader` reads.
final class ArchiveSearch: NSCoder {
    /// What can't be archived.
    enum Obstacle {
        case decimal
        /// A collection as a key of a dictionary, or as an element of a set.
        case hashedCollection
    }

    private enum Kind { case array, dictionary, set, orderedSet }

    private var seen: Set<ObjectIdentifier> = []
    private var found: Obstacle?
    /// How many collections of each kind there are in the value.
    private var counts: [Kind: Int] = [:]
    /// The kind of the value itself, if it has arrays as keys or elements. The archiver may compare it with others of
    /// that kind, which stops the program.
    private var rootWithArrays: Kind?

    /// The first obstacle in a value.
    static func obstacle(in value: Any) -> Obstacle? {
        let search = ArchiveSearch()
        search.look(at: value, isRoot: true)
        if search.found == nil, let kind = search.rootWithArrays, search.counts[kind, default: 0] > 1 {
            return .hashedCollection
        }
        return search.found
    }

    private func look(at value: Any?, isRoot: Bool = false) {
        guard let value, found == nil else { return }
        // The type first: a cast to a class makes Foundation's set of one of Swift's, with the hashes of its elements.
        let type = Swift.type(of: value)
        if type == Decimal.self || type is AnyClass && value is NSDecimalNumber {
            found = .decimal
            return
        }
        guard let kind = Self.kind(of: value) else { return lookIntoObject(value) }
        counts[kind, default: 0] += 1
        let (hashed, others) = Self.elements(of: value, kind)
        for element in hashed { lookAtHashed(element, kind, isRoot: isRoot) }
        for element in others { look(at: element) }
    }

    private func lookAtHashed(_ element: Any, _ owner: Kind, isRoot: Bool) {
        switch Self.kind(of: element) {
        case nil, .orderedSet: break
        case .array where isRoot:
            rootWithArrays = owner
            let isFlat = Self.elements(of: element, .array).others.allSatisfy { Self.kind(of: $0) == nil }
            if !isFlat { found = .hashedCollection }
        case .set where isRoot:
            let isFlat = Self.elements(of: element, .set).hashed.allSatisfy { Self.kind(of: $0) == nil }
            if !isFlat { found = .hashedCollection }
        default: found = .hashedCollection
        }
        look(at: element)
    }

    private func lookIntoObject(_ value: Any) {
        guard Swift.type(of: value) is AnyClass, let object = value as? any NSObject & NSCoding,
            !Self.isFoundations(object), seen.insert(ObjectIdentifier(object)).inserted
        else { return }
        object.encode(with: self)
    }

    private static func isFoundations(_ object: AnyObject) -> Bool {
        String(reflecting: Swift.type(of: object)).hasPrefix("Foundation.")
    }

    private static func kind(of value: Any) -> Kind? {
        if Swift.type(of: value) is AnyClass {
            let object = value as AnyObject
            if object is NSArray { return .array }
            if object is NSDictionary { return .dictionary }
            if object is NSSet { return .set }
            return object is NSOrderedSet ? .orderedSet : nil
        }
        switch Mirror(reflecting: value).displayStyle {
        case .collection: return value is [Any] ? .array : nil
        case .dictionary: return value is [AnyHashable: Any] ? .dictionary : nil
        case .set: return value is Set<AnyHashable> ? .set : nil
        default: return nil
        }
    }

    /// The elements of a collection: those that are hashed, and others.
    ///
    /// Foundation's collections are looked at in a mirror. Taking an element out would turn it into a value of Swift's,
    /// and that is what stops the program.
    private static func elements(of value: Any, _ kind: Kind) -> (hashed: [Any], others: [Any]) {
        guard Swift.type(of: value) is AnyClass else {
            switch kind {
            case .array: return ([], value as? [Any] ?? [])
            case .dictionary:
                let dictionary = value as? [AnyHashable: Any] ?? [:]
                return (dictionary.keys.map(\.base), Array(dictionary.values))
            default: return ((value as? Set<AnyHashable> ?? []).map(\.base), [])
            }
        }
        let children = Mirror(reflecting: value).children.map(\.value)
        switch kind {
        case .array: return ([], children)
        case .set, .orderedSet: return (children, [])
        case .dictionary:
            let pairs = children.map { Mirror(reflecting: $0).children.map(\.value) }
            return (pairs.compactMap(\.first), pairs.compactMap(\.last))
        }
    }

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override func encode(_ object: Any?, forKey key: String) { look(at: object) }
    override func encode(_ object: Any?) { look(at: object) }
    override func encodeConditionalObject(_ object: Any?, forKey key: String) { look(at: object) }
    override func encode(_ value: Bool, forKey key: String) {}
    override func encode(_ value: Int32, forKey key: String) {}
    override func encode(_ value: Int64, forKey key: String) {}
    override func encode(_ value: Int, forKey key: String) {}
    override func encode(_ value: Float, forKey key: String) {}
    override func encode(_ value: Double, forKey key: String) {}
    override func encode(_ data: Data) {}
    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {}
    override func encodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeRawPointer) {}
}
#endif
