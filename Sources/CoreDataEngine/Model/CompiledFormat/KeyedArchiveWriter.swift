import Foundation

/// Writes keyed archives, cycles included: reserve a reference, refer to it, fill it.
struct KeyedArchiveWriter {
    enum Field {
        case bool(Bool)
        case integer(Int)
        case real(Double)
        case data(Data)
        case reference(Int)
        case references([Int])
    }

    /// The reference that represents nil.
    static let null = 0

    private enum Entry {
        case plain(BinaryPropertyList.Object)
        case instance(className: String, fields: [(key: String, value: Field)])
    }

    private var entries: [Entry] = [.plain(.string("$null"))]
    private var strings: [ExactString: Int] = [:]
    private var ancestors: [String: [String]] = Self.knownAncestors

    /// A reference for an object that is filled later.
    mutating func reserve() -> Int {
        entries.append(.plain(.string("$null")))
        return entries.count - 1
    }

    mutating func fill(_ reference: Int, _ className: String, _ fields: [(key: String, value: Field)]) {
        entries[reference] = .instance(className: className, fields: fields)
    }

    mutating func add(_ className: String, _ fields: [(key: String, value: Field)]) -> Int {
        let reference = reserve()
        fill(reference, className, fields)
        return reference
    }

    mutating func string(_ string: String?) -> Int {
        guard let string else { return Self.null }
        let key = ExactString(string)
        if let known = strings[key] { return known }
        entries.append(.plain(.string(string)))
        strings[key] = entries.count - 1
        return entries.count - 1
    }

    mutating func plain(_ object: BinaryPropertyList.Object) -> Int {
        entries.append(.plain(object))
        return entries.count - 1
    }

    mutating func array(_ elements: [Int], className: String = "NSArray") -> Int {
        add(className, [("NS.objects", .references(elements))])
    }

    mutating func dictionary(_ entries: [(key: Int, value: Int)], className: String = "NSDictionary") -> Int {
        add(
            className,
            [("NS.keys", .references(entries.map(\.key))), ("NS.objects", .references(entries.map(\.value)))])
    }

    /// Copies an object of another archive with all that it refers to.
    mutating func copy(_ object: ArchivedObject) throws -> Int {
        var copies: [Int: Int] = [:]
        var pending: [(source: ArchivedObject, target: Int)] = []
        let root = reserve()
        copies[object.reference] = root
        pending.append((object, root))
        while let (source, target) = pending.popLast() {
            ancestors[source.className] = ancestors[source.className] ?? Array(source.classNames.dropFirst())
            var fields: [(key: String, value: Field)] = []
            for (key, index) in source.fields.sorted(by: { $0.key < $1.key }) {
                fields.append((key, try copyField(index, of: source, &copies, &pending)))
            }
            fill(target, source.className, fields)
        }
        return root
    }

    private mutating func copyField(
        _ index: Int, of source: ArchivedObject, _ copies: inout [Int: Int],
        _ pending: inout [(source: ArchivedObject, target: Int)]
    ) throws -> Field {
        switch source.archive.rawObject(at: index) {
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(Int(value))
        case .wide(let value): return .integer(Int(bitPattern: UInt(value)))
        case .single(let value): return .real(Double(value))
        case .real(let value), .date(let value): return .real(value)
        case .data(let value): return .data(value)
        case .uid(let reference): return .reference(try copyReference(reference, of: source, &copies, &pending))
        case .array(let elements):
            return .references(
                try elements.map { element in
                    guard case .uid(let reference) = source.archive.rawObject(at: element) else {
                        return plain(source.archive.rawObject(at: element))
                    }
                    return try copyReference(reference, of: source, &copies, &pending)
                })
        case let object: return .reference(plain(object))
        }
    }

    private mutating func copyReference(
        _ reference: Int, of source: ArchivedObject, _ copies: inout [Int: Int],
        _ pending: inout [(source: ArchivedObject, target: Int)]
    ) throws -> Int {
        if let known = copies[reference] { return known }
        let copy: Int
        switch try source.archive.value(of: reference) {
        case .null: copy = Self.null
        case .bool(let value): copy = plain(.bool(value))
        case .integer(let value): copy = plain(.integer(value))
        case .real(let value), .date(let value): copy = plain(.real(value))
        case .data(let value): copy = plain(.data(value))
        case .string(let value): copy = string(value)
        case .object(let object):
            copy = reserve()
            pending.append((object, copy))
        }
        copies[reference] = copy
        return copy
    }

    /// The file, with the object of the given reference as its root.
    func data(root: Int) -> Data {
        var list = BinaryPropertyListWriter()
        var table: [Int] = []
        var classReferences: [String: Int] = [:]
        var classNames: [String] = []
        for case .instance(let className, _) in entries where classReferences[className] == nil {
            classReferences[className] = entries.count + classNames.count
            classNames.append(className)
        }
        for entry in entries {
            switch entry {
            case .plain(let object): table.append(list.add(object))
            case .instance(let className, let fields):
                var all = fields.map { (key: $0.key, value: Self.add($0.value, to: &list)) }
                all.append(("$class", list.add(.uid(classReferences[className] ?? 0))))
                table.append(Self.addDictionary(all, to: &list))
            }
        }
        for className in classNames {
            let chain = [className] + (ancestors[className] ?? ["NSObject"])
            let names = chain.map { list.add(.string($0)) }
            table.append(
                Self.addDictionary([("$classname", names[0]), ("$classes", list.add(.array(names)))], to: &list))
        }
        let content: [(key: String, value: Int)] = [
            ("$version", list.add(.integer(100_000))),
            ("$archiver", list.add(.string("NSKeyedArchiver"))),
            ("$top", Self.addDictionary([("root", list.add(.uid(root)))], to: &list)),
            ("$objects", list.add(.array(table))),
        ]
        let top = Self.addDictionary(content, to: &list)
        return list.data(top: top)
    }

    private static func add(_ field: Field, to list: inout BinaryPropertyListWriter) -> Int {
        switch field {
        case .bool(let value): list.add(.bool(value))
        case .integer(let value): list.add(.integer(Int64(value)))
        case .real(let value): list.add(.real(value))
        case .data(let value): list.add(.data(value))
        case .reference(let reference): list.add(.uid(reference))
        case .references(let references): list.add(.array(references.map { list.add(.uid($0)) }))
        }
    }

    private static func addDictionary(
        _ entries: [(key: String, value: Int)], to list: inout BinaryPropertyListWriter
    ) -> Int {
        let keys = entries.map { list.add(.string($0.key)) }
        return list.add(.dictionary(keys: keys, values: entries.map(\.value)))
    }

    /// The classes that a class inherits from, nearest first, as readers of the format check them.
    private static let knownAncestors: [String: [String]] = [
        "NSMutableArray": ["NSArray", "NSObject"],
        "NSMutableDictionary": ["NSDictionary", "NSObject"],
        "NSMutableSet": ["NSSet", "NSObject"],
        "NSMutableOrderedSet": ["NSOrderedSet", "NSObject"],
        "NSKnownKeysDictionary1": ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
        "NSKnownKeysMappingStrategy1": ["NSKnownKeysMappingStrategy", "NSObject"],
        "NSDecimalNumber": ["NSNumber", "NSValue", "NSObject"],
        "NSAttributeDescription": ["NSPropertyDescription", "NSObject"],
        "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
        "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
        "NSRelationshipDescription": ["NSPropertyDescription", "NSObject"],
        "NSFetchedPropertyDescription": ["NSPropertyDescription", "NSObject"],
        "NSExpressionDescription": ["NSPropertyDescription", "NSObject"],
        "NSFetchRequest": ["NSPersistentStoreRequest", "NSObject"],
        "NSComparisonPredicate": ["NSPredicate", "NSObject"],
        "NSCompoundPredicate": ["NSPredicate", "NSObject"],
        "NSTruePredicate": ["NSPredicate", "NSObject"],
        "NSFalsePredicate": ["NSPredicate", "NSObject"],
        "NSEqualityPredicateOperator": ["NSPredicateOperator", "NSObject"],
        "NSComparisonPredicateOperator": ["NSPredicateOperator", "NSObject"],
        "NSInPredicateOperator": ["NSPredicateOperator", "NSObject"],
        "NSBetweenPredicateOperator": ["NSPredicateOperator", "NSObject"],
        "NSCustomPredicateOperator": ["NSPredicateOperator", "NSObject"],
        "NSSubstringPredicateOperator": ["NSStringPredicateOperator", "NSPredicateOperator", "NSObject"],
        "NSLikePredicateOperator": ["NSStringPredicateOperator", "NSPredicateOperator", "NSObject"],
        "NSMatchingPredicateOperator": ["NSStringPredicateOperator", "NSPredicateOperator", "NSObject"],
        "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression", "NSObject"],
        "NSFunctionExpression": ["NSExpression", "NSObject"],
        "NSSelfExpression": ["NSExpression", "NSObject"],
        "NSVariableExpression": ["NSExpression", "NSObject"],
        "NSConstantValueExpression": ["NSExpression", "NSObject"],
        "NSKeyPathSpecifierExpression": ["NSExpression", "NSObject"],
        "NSAggregateExpression": ["NSExpression", "NSObject"],
        "NSSetExpression": ["NSExpression", "NSObject"],
        "NSSubqueryExpression": ["NSExpression", "NSObject"],
        "NSAnyKeyExpression": ["NSExpression", "NSObject"],
        "NSTernaryExpression": ["NSExpression", "NSObject"],
        "NSFetchRequestExpression": ["NSExpression", "NSObject"],
    ]
}
