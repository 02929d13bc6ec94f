#if !canImport(ObjectiveC)
import Foundation

/// Makes keyed archives of values that consist of property-list classes, UUIDs, URLs, sets and null.
///
/// Foundation's archiver writes equal objects once. Here it takes `true`, 1 and 1.0 for equal, and strings that differ
/// only in their scalars. So these values are archived one by one.
struct PropertyListArchiver {
    private enum Kind {
        case list(className: String)
        case dictionary(className: String)
        case set(className: String)
        case orderedSet(className: String)
        case plain
    }

    private static let kinds: [ObjectIdentifier: Kind] = [
        ObjectIdentifier(NSArray.self): .list(className: "NSArray"),
        ObjectIdentifier(NSMutableArray.self): .list(className: "NSMutableArray"),
        ObjectIdentifier(NSDictionary.self): .dictionary(className: "NSDictionary"),
        ObjectIdentifier(NSMutableDictionary.self): .dictionary(className: "NSMutableDictionary"),
        ObjectIdentifier(NSSet.self): .set(className: "NSSet"),
        ObjectIdentifier(NSMutableSet.self): .set(className: "NSMutableSet"),
        ObjectIdentifier(NSOrderedSet.self): .orderedSet(className: "NSOrderedSet"),
        ObjectIdentifier(NSMutableOrderedSet.self): .orderedSet(className: "NSMutableOrderedSet"),
        ObjectIdentifier(NSString.self): .plain, ObjectIdentifier(NSData.self): .plain,
        ObjectIdentifier(NSDate.self): .plain, ObjectIdentifier(NSUUID.self): .plain,
        ObjectIdentifier(NSURL.self): .plain, ObjectIdentifier(NSNull.self): .plain,
    ]

    private var writer = KeyedArchiveWriter()

    /// The archive of a value in which `ArchiveSearch` found no obstacle; `nil` if there is another class in it.
    static func archive(_ value: Any) -> Data? {
        var archiver = PropertyListArchiver()
        return archiver.add(value).map { archiver.writer.data(root: $0) }
    }

    /// Adds a value; `nil` if it's of another class.
    private mutating func add(_ value: Any) -> Int? {
        guard type(of: value) is AnyClass else { return addValue(value) }
        let object = value as AnyObject
        switch Self.kinds[ObjectIdentifier(type(of: object))] {
        case .list(let name): return (object as? NSArray).flatMap { addList($0.map { $0 }, name) }
        case .set(let name): return (object as? NSSet).flatMap { addList(Self.sorted($0.allObjects) { $0 }, name) }
        case .orderedSet(let name): return (object as? NSOrderedSet).flatMap { addOrderedSet($0.array, name) }
        case .dictionary(let name):
            return (object as? NSDictionary).flatMap { addDictionary($0.map { ($0.key, $0.value) }, name) }
        case .plain: return addPlain(object)
        case nil: return (object as? NSNumber).flatMap { addNumber($0) }
        }
    }

    private mutating func addValue(_ value: Any) -> Int? {
        if let plain = addPlain(value) { return plain }
        if let flag = value as? Bool, type(of: value) == Bool.self { return writer.plain(.bool(flag)) }
        switch Mirror(reflecting: value).displayStyle {
        case .collection: return (value as? [Any]).flatMap { addList($0, "NSArray") }
        case .set: return (value as? Set<AnyHashable>).flatMap { addList(Self.sorted($0.map(\.base)) { $0 }, "NSSet") }
        case .dictionary:
            return (value as? [AnyHashable: Any]).flatMap {
                addDictionary($0.map { ($0.key.base, $0.value) }, "NSDictionary")
            }
        case .optional: return nil
        default: return (value as? NSNumber).flatMap { addNumber($0) }
        }
    }

    private mutating func addPlain(_ value: Any) -> Int? {
        switch value {
        case let string as String: writer.string(string)
        case let data as Data: writer.plain(.data(data))
        case let date as Date: writer.add("NSDate", [("NS.time", .real(date.timeIntervalSinceReferenceDate))])
        case let uuid as UUID:
            writer.add("NSUUID", [("NS.uuidbytes", .data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))])
        case let url as URL: addURL(url)
        case is NSNull: writer.add("NSNull", [])
        default: nil
        }
    }

    private mutating func addURL(_ url: URL) -> Int {
        let base = url.baseURL.map { addURL($0) } ?? KeyedArchiveWriter.null
        let relative = writer.string(url.relativeString)
        return writer.add("NSURL", [("NS.base", .reference(base)), ("NS.relative", .reference(relative))])
    }

    private mutating func addNumber(_ number: NSNumber) -> Int? {
        guard !(number is NSDecimalNumber) else { return nil }
        switch String(cString: number.objCType) {
        case "c", "B": return writer.plain(.bool(number.boolValue))
        case "f": return writer.plain(.single(number.floatValue))
        case "d": return writer.plain(.real(number.doubleValue))
        case "Q" where number.uint64Value > UInt64(Int64.max): return writer.plain(.wide(number.uint64Value))
        default: return writer.plain(.integer(number.int64Value))
        }
    }

    // MARK: Collections

    /// The elements in an order that doesn't depend on their hashes, so that equal values give equal archives.
    private static func sorted<Element>(_ elements: [Element], by key: (Element) -> Any) -> [Element] {
        elements.map { ($0, String(describing: key($0))) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    private mutating func addAll(_ elements: [Any]) -> [Int]? {
        var references: [Int] = []
        references.reserveCapacity(elements.count)
        for element in elements {
            guard let reference = add(element) else { return nil }
            references.append(reference)
        }
        return references
    }

    private mutating func addList(_ elements: [Any], _ className: String) -> Int? {
        addAll(elements).map { writer.array($0, className: className) }
    }

    private mutating func addOrderedSet(_ elements: [Any], _ className: String) -> Int? {
        addAll(elements).map { references in
            writer.add(
                className, references.enumerated().map { ("NS.object.\($0.offset)", .reference($0.element)) })
        }
    }

    private mutating func addDictionary(_ pairs: [(key: Any, value: Any)], _ className: String) -> Int? {
        let pairs = Self.sorted(pairs, by: \.key)
        guard let keys = addAll(pairs.map(\.key)), let values = addAll(pairs.map(\.value)) else { return nil }
        return writer.dictionary(zip(keys, values).map { ($0, $1) }, className: className)
    }
}
#endif
