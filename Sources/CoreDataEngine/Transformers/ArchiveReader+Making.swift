#if !canImport(ObjectiveC)
import Foundation

extension ArchiveReader {
    /// Makes the object whose members are those of the last frame.
    func make(_ type: ArchivedType) throws -> Any {
        switch type {
        case .usual(let usual): return try make(usual)
        case .coding(let type, let coding):
            try checkMembers(of: type)
            guard let object = coding.init(coder: self) else {
                throw ModelError.corrupt("An object of the archive, a \(type), could not be read.")
            }
            return object
        }
    }

    private func make(_ usual: ArchivedType.UsualClass) throws -> Any {
        switch usual {
        case .array: return NSArray(array: try elements("NS.objects"))
        case .mutableArray: return NSMutableArray(array: try elements("NS.objects"))
        case .dictionary:
            let (keys, objects) = try entries()
            return NSDictionary(objects: objects, forKeys: keys)
        case .mutableDictionary:
            let (keys, objects) = try entries()
            return NSMutableDictionary(objects: objects, forKeys: keys)
        case .set: return NSSet(array: try hashable(elements("NS.objects")))
        case .mutableSet: return NSMutableSet(array: try hashable(elements("NS.objects")))
        case .countedSet: return try countedSet()
        case .orderedSet: return NSOrderedSet(array: try numberedElements())
        case .mutableOrderedSet: return NSMutableOrderedSet(array: try numberedElements())
        case .string: return NSString(string: try string("NS.string"))
        case .mutableString: return NSMutableString(string: try string("NS.string"))
        case .data: return NSData(data: try data("NS.data"))
        case .mutableData: return NSMutableData(data: try data("NS.data"))
        case .date: return try date()
        case .uuid: return try uuid()
        case .url: return try url()
        case .queryItem:
            let value = member("NS.value") == .uid(0) ? nil : try string("NS.value")
            return NSURLQueryItem(name: try string("NS.name"), value: value)
        case .null: return null
        case .characterSet: return try characterSet()
        case .mutableCharacterSet: return (try characterSet()).mutableCopy()
        case .indexSet: return NSIndexSet(indexSet: try indexSet() as IndexSet)
        case .mutableIndexSet: return try indexSet()
        case .indexPath: return try indexPath()
        case .attributedString: return NSAttributedString(attributedString: try attributedString())
        case .mutableAttributedString: return try attributedString()
        }
    }

    private func entries() throws -> ([NSObject], [Any]) {
        let keys = try hashable(elements("NS.keys"))
        let objects = try elements("NS.objects")
        // Of other classes of Foundation's it doesn't find the keys again, and stops the program.
        guard keys.allSatisfy({ Self.isUsualElement($0) || $0 is NSArray || $0 is NSSet || $0 is NSIndexPath })
        else {
            throw ModelError.corrupt("A dictionary of the archive has a key of another class than keys have.")
        }
        let names = keys.compactMap { $0 as? NSObject }
        guard names.count == keys.count, keys.count == objects.count else {
            throw ModelError.corrupt(
                "A dictionary of the archive has \(keys.count) keys and \(objects.count) objects.")
        }
        return (names, objects)
    }

    /// Elements of a set or keys of a dictionary. Foundation stops the program where it compares or only takes out a set
    /// that has collections as elements; those of a root, such as a `Set<[String]>`, are left to the program. It also does
    /// where two elements are equal and have different hashes, as with some of its classes.
    private func hashable(_ elements: [Any]) throws -> [Any] {
        let others = elements.filter { !Self.isUsualElement($0) }
        guard !others.isEmpty else { return elements }
        let isRoot = frames.count == 2
        let arePlain = others.allSatisfy { other in
            if let array = other as? NSArray { return isRoot && array.allSatisfy(Self.isUsualElement) }
            return !(other is NSDictionary || other is NSSet) || isRoot && other is NSSet
        }
        let objects = others.compactMap { $0 as? NSObject }
        guard arePlain, objects.count == others.count, objects.count <= 1_000 else {
            throw ModelError.corrupt("A set of the archive, or the keys of a dictionary, hold a collection.")
        }
        for (index, object) in objects.enumerated() {
            let isBroken = objects[..<index].contains { $0.isEqual(object) && $0.hash != object.hash }
            guard object.isEqual(object), !isBroken else {
                throw ModelError.corrupt("A set of the archive holds a \(Swift.type(of: object)) that has no hash.")
            }
        }
        return elements
    }

    private static func isUsualElement(_ element: Any) -> Bool {
        guard let object = element as? NSObject else { return true }
        return usualElements.contains { object.isKind(of: $0) }
            || !FoundationCoding.isFoundations(Swift.type(of: object))
    }

    private static let usualElements: [AnyClass] = [
        NSString.self, NSNumber.self, NSDate.self, NSUUID.self, NSData.self, NSURL.self, NSNull.self,
    ]

    /// The elements `NS.object.0`, `NS.object.1` and so on.
    private func numberedElements() throws -> [Any] {
        guard let frame = frames.last else { return [] }
        let prefix = "NS.object."
        var members: [Int: Int] = [:]
        for (key, value) in zip(frame.keys, frame.values) {
            guard case .string(let name) = list.objects[key], name.hasPrefix(prefix) else { continue }
            guard let number = Int(name.dropFirst(prefix.count)), members.updateValue(value, forKey: number) == nil
            else { throw ModelError.corrupt("An ordered set of the archive has an element named \(name).") }
        }
        let elements = try (0..<members.count).map { number in
            guard let member = members[number] else {
                throw ModelError.corrupt("An ordered set of the archive lacks its element \(number).")
            }
            return try element(list.objects[member])
        }
        return try hashable(elements)
    }

    /// The elements `NS.object0` and so on, each as often as `NS.count0` says.
    private func countedSet() throws -> NSCountedSet {
        let set = NSCountedSet()
        let count = Int(member("NS.count")?.wholeNumber ?? -1)
        guard (0...frames[frames.count - 1].keys.count).contains(count) else {
            throw ModelError.corrupt("A counted set of the archive has a count of \(count).")
        }
        for index in 0..<count {
            guard let member = member("NS.object\(index)"),
                let times = self.member("NS.count\(index)")?.wholeNumber,
                (1...1_000_000).contains(times)
            else { throw ModelError.corrupt("A counted set of the archive lacks its element \(index).") }
            let element = try hashable([try element(member)])[0]
            for _ in 0..<times { set.add(element) }
        }
        return set
    }

    func string(_ key: String) throws -> String {
        switch member(key) {
        case .string(let string): return string
        case .uid?: if let string = decodeObject(forKey: key) as? String { return string }
        default: break
        }
        throw ModelError.corrupt("A string of the archive has no \(key).")
    }

    func data(_ key: String) throws -> Data {
        if let bytes = bytes(key) { return bytes }
        if member(key) == nil, case .data(let data)? = member("NS.bytes") { return data }
        throw ModelError.corrupt("An object of the archive has no \(key).")
    }

    /// The bytes that are a member, or to which it refers; nil where it is of another kind.
    func bytes(_ key: String) -> Data? {
        switch member(key) {
        case .data(let data)?: data
        case .uid?: decodeObject(forKey: key) as? Data
        default: nil
        }
    }

    private func date() throws -> NSDate {
        switch member("NS.time") {
        case .real, .integer, .single:
            return NSDate(timeIntervalSinceReferenceDate: decodeDouble(forKey: "NS.time"))
        default: throw ModelError.corrupt("A date of the archive has no time.")
        }
    }

    private func uuid() throws -> NSUUID {
        guard case .data(let bytes)? = member("NS.uuidbytes"), bytes.count == 16 else {
            throw ModelError.corrupt("A UUID of the archive does not have 16 bytes.")
        }
        return NSUUID(uuidBytes: Array(bytes))
    }

    private func url() throws -> NSURL {
        let base = decodeObject(forKey: "NS.base")
        let string = try string("NS.relative")
        // Foundation stops the program at an NSURL that Swift's URL would not be made of.
        guard base == nil || base is NSURL, let url = NSURL(string: string, relativeTo: base as? URL),
            URL(string: string, relativeTo: base as? URL) != nil, base != nil || URL(string: string) != nil,
            URL(string: url.absoluteString) != nil
        else { throw ModelError.corrupt("A URL of the archive can't be read.") }
        return url
    }
}
#endif
