import Foundation
import Synchronization

/// A keyed archive as data: objects with the names of their classes and their fields.
///
/// No class is ever looked up or instantiated by a name in the file.
final class KeyedArchive: Sendable {
    /// A field or element.
    enum Value {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case date(Double)
        case string(String)
        case data(Data)
        case object(ArchivedObject)
    }

    private let list: BinaryPropertyList
    private let table: [Int]
    private let rootReference: Int
    /// How many fields and elements may still be read: an archive can refer to one large object many times.
    private let budget: Atomic<Int>

    /// Reads an archive.
    ///
    /// - Throws: a `CocoaError` that says what is damaged.
    init(_ data: Data) throws {
        list = try BinaryPropertyList(data)
        guard let content = Self.dictionary(list, list.top), let objectsIndex = content["$objects"],
            case .array(let table) = list.objects[objectsIndex],
            let topIndex = content["$top"], let top = Self.dictionary(list, topIndex),
            let rootIndex = top["root"] ?? top.values.first, case .uid(let root) = list.objects[rootIndex]
        else { throw ModelError.corrupt("The data is not a keyed archive.") }
        self.table = table
        rootReference = root
        budget = Atomic(list.objects.count * 64 + 1_000_000)
    }

    /// The number of archived objects.
    var count: Int { table.count }

    /// The object that the archive was made of.
    func root() throws -> ArchivedObject {
        guard case .object(let object) = try value(of: rootReference) else {
            throw ModelError.corrupt("The archive holds no object.")
        }
        return object
    }

    /// The object or value that a reference represents.
    func value(of reference: Int) throws -> Value {
        guard reference < table.count else {
            throw ModelError.corrupt("The archive refers to object \(reference), which doesn't exist.")
        }
        let index = table[reference]
        if reference == 0, case .string("$null") = list.objects[index] { return .null }
        guard case .dictionary(let keys, let values) = list.objects[index] else {
            return try plainValue(list.objects[index], name: "object \(reference)")
        }
        return .object(try makeObject(reference: reference, keys: keys, values: values))
    }

    /// The value in a field: a reference, or the value itself.
    fileprivate func value(at index: Int, name: String) throws -> Value {
        if case .uid(let reference) = list.objects[index] { return try value(of: reference) }
        return try plainValue(list.objects[index], name: name)
    }

    /// The elements of a field that is a list of references.
    fileprivate func elements(at index: Int, name: String) throws -> [Value] {
        guard case .array(let elements) = list.objects[index] else {
            throw ModelError.corrupt("The archive's \(name) is not a list.")
        }
        try spend(elements.count)
        return try elements.map { try value(at: $0, name: name) }
    }

    private func spend(_ count: Int) throws {
        guard budget.wrappingSubtract(count, ordering: .relaxed).newValue >= 0 else {
            throw ModelError.corrupt("The archive refers to the same objects too many times.")
        }
    }

    /// The property list object in a field, for code that copies objects as they are.
    func rawObject(at index: Int) -> BinaryPropertyList.Object { list.objects[index] }

    private func makeObject(reference: Int, keys: [Int], values: [Int]) throws -> ArchivedObject {
        try spend(keys.count)
        var fields: [String: Int] = Dictionary(minimumCapacity: keys.count)
        for (key, value) in zip(keys, values) {
            guard case .string(let name) = list.objects[key] else {
                throw ModelError.corrupt("Object \(reference) of the archive has a field whose name is not a string.")
            }
            fields[name] = value
        }
        guard let classField = fields.removeValue(forKey: "$class"),
            case .uid(let classReference) = list.objects[classField],
            classReference < table.count, let record = Self.dictionary(list, table[classReference]),
            let nameIndex = record["$classname"], case .string(let className) = list.objects[nameIndex]
        else { throw ModelError.corrupt("Object \(reference) of the archive has no class.") }
        var classNames: [String] = []
        if let chain = record["$classes"], case .array(let indexes) = list.objects[chain] {
            classNames = indexes.compactMap { if case .string(let name) = list.objects[$0] { name } else { nil } }
        }
        return ArchivedObject(
            archive: self, reference: reference, className: className, classNames: classNames, fields: fields)
    }

    private func plainValue(_ object: BinaryPropertyList.Object, name: String) throws -> Value {
        switch object {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .wide(let value): .integer(Int64(bitPattern: value))
        case .single(let value): .real(Double(value))
        case .real(let value): .real(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .string(let value): .string(value)
        case .uid, .array, .dictionary: throw ModelError.corrupt("The archive's \(name) is of an unknown kind.")
        }
    }

    private static func dictionary(_ list: BinaryPropertyList, _ index: Int) -> [String: Int]? {
        guard case .dictionary(let keys, let values) = list.objects[index] else { return nil }
        var result: [String: Int] = [:]
        for (key, value) in zip(keys, values) {
            guard case .string(let name) = list.objects[key] else { return nil }
            result[name] = value
        }
        return result
    }
}

/// One object of a keyed archive: the name of its class, and its fields.
struct ArchivedObject: Sendable {
    let archive: KeyedArchive
    let reference: Int
    let className: String
    let classNames: [String]
    /// Indexes of the fields' values in the property list.
    let fields: [String: Int]

    /// The value of a field; null when the object has no such field.
    func value(_ key: String) throws -> KeyedArchive.Value {
        guard let index = fields[key] else { return .null }
        return try archive.value(at: index, name: "field '\(key)' of object \(reference) (\(className))")
    }

    /// The string in a field; `nil` if the field is missing.
    func string(_ key: String) throws -> String? { try string(try value(key), key) }

    func int(_ key: String, default defaultValue: Int = 0) throws -> Int {
        switch try value(key) {
        case .null: return defaultValue
        case .integer(let value): return Int(value)
        case .bool(let value): return value ? 1 : 0
        default: throw wrongKind(key, "a number")
        }
    }

    func bool(_ key: String, default defaultValue: Bool = false) throws -> Bool {
        switch try value(key) {
        case .null: return defaultValue
        case .bool(let value): return value
        case .integer(let value): return value != 0
        default: throw wrongKind(key, "a boolean")
        }
    }

    func data(_ key: String) throws -> Data? {
        switch try value(key) {
        case .null: return nil
        case .data(let value): return value
        case .object(let object) where ["NSData", "NSMutableData"].contains(object.className):
            return try object.data("NS.data") ?? Data()
        default: throw wrongKind(key, "data")
        }
    }

    /// The object in a field, which must be of one of the classes; `nil` if the field is missing.
    func object(_ key: String, _ classes: String...) throws -> ArchivedObject? {
        switch try value(key) {
        case .null: return nil
        case .object(let object) where classes.isEmpty || classes.contains(object.className): return object
        case .object(let object): throw wrongKind(key, classes.joined(separator: " or "), found: object.className)
        default: throw wrongKind(key, classes.joined(separator: " or "))
        }
    }

    /// The elements of the list or set in a field; `nil` if the field is missing.
    func array(_ key: String) throws -> [KeyedArchive.Value]? {
        guard case .object(let object) = try value(key) else {
            if case .null = try value(key) { return nil }
            throw wrongKind(key, "a list")
        }
        return try object.elements()
    }

    /// The objects of a list in a field, each of one of the classes.
    func objects(_ key: String, _ classes: String...) throws -> [ArchivedObject] {
        try (try array(key) ?? []).map { element in
            guard case .object(let object) = element, classes.isEmpty || classes.contains(object.className) else {
                throw wrongKind(key, "a list of \(classes.joined(separator: " or "))")
            }
            return object
        }
    }

    /// The strings of a list in a field.
    func strings(_ key: String) throws -> [String] {
        try (try array(key) ?? []).map { element in
            guard let string = try string(element, key) else { throw wrongKind(key, "a list of strings") }
            return string
        }
    }

    /// The entries of the dictionary in a field, in their order; `nil` if the field is missing.
    func dictionary(_ key: String) throws -> [(key: String, value: KeyedArchive.Value)]? {
        guard case .object(let object) = try value(key) else {
            if case .null = try value(key) { return nil }
            throw wrongKind(key, "a dictionary")
        }
        return try object.entries().map { entry in
            guard let name = try string(entry.key, key) else {
                throw wrongKind(key, "a dictionary with strings as keys")
            }
            return (name, entry.value)
        }
    }

    /// The elements of an archived list or set.
    func elements() throws -> [KeyedArchive.Value] {
        guard Self.collectionClasses.contains(className), let index = fields["NS.objects"] else {
            throw ModelError.corrupt("Object \(reference) of the archive is a \(className), not a list.")
        }
        return try archive.elements(at: index, name: "list \(reference)")
    }

    /// The keys and values of an archived dictionary.
    func entries() throws -> [(key: KeyedArchive.Value, value: KeyedArchive.Value)] {
        if className.hasPrefix("NSKnownKeysDictionary") { return try knownKeysEntries() }
        guard Self.dictionaryClasses.contains(className), let keys = fields["NS.keys"],
            let values = fields["NS.objects"]
        else { throw ModelError.corrupt("Object \(reference) of the archive is a \(className), not a dictionary.") }
        let keyValues = try archive.elements(at: keys, name: "dictionary \(reference)")
        let contents = try archive.elements(at: values, name: "dictionary \(reference)")
        guard keyValues.count == contents.count else {
            throw ModelError.corrupt("The dictionary \(reference) of the archive has more keys than values, or fewer.")
        }
        return zip(keyValues, contents).map { ($0, $1) }
    }

    /// The framework's own dictionary with a fixed set of keys; slots of keys without a value hold a token.
    private func knownKeysEntries() throws -> [(key: KeyedArchive.Value, value: KeyedArchive.Value)] {
        guard let mapping = try object("searchMapping"), let keys = try mapping.array("keys"),
            let values = try array("values"), keys.count == values.count
        else { throw ModelError.corrupt("The dictionary \(reference) of the archive has no keys, or too few values.") }
        let token = try string("emptyToken")
        return zip(keys, values).compactMap { key, value in
            if case .string(let string) = value, string == token { return nil }
            return (key, value)
        }
    }

    private func string(_ value: KeyedArchive.Value, _ key: String) throws -> String? {
        switch value {
        case .null: return nil
        case .string(let string): return string
        case .object(let object) where ["NSString", "NSMutableString"].contains(object.className):
            guard case .string(let string) = try object.value("NS.string") else { throw wrongKind(key, "a string") }
            return string
        default: throw wrongKind(key, "a string")
        }
    }

    func wrongKind(_ key: String, _ expected: String, found: String? = nil) -> CocoaError {
        ModelError.corrupt(
            "The field '\(key)' of object \(reference) (\(className)) of the archive is not \(expected)"
                + (found.map { " but a \($0)." } ?? "."))
    }

    private static let collectionClasses: Set = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]
    private static let dictionaryClasses: Set = ["NSDictionary", "NSMutableDictionary"]
}
