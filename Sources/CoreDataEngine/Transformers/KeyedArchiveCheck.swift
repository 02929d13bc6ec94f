/// Looks whether a keyed archive can be read by Foundation's unarchiver, which on Linux stops the program at some that are
/// damaged: it leaves out members that it can't read, and then takes as many objects of a dictionary as there are keys.
///
/// So every member of a collection has to be there, a dictionary has to have as many keys as objects, and no collection may
/// hold itself.
struct KeyedArchiveCheck {
    private enum State {
        /// It is being looked at: who comes back to it has gone in a circle.
        case underWay
        case sound
    }

    private let list: BinaryPropertyList
    /// The indexes of the archive's objects in the list.
    private let objects: [Int]
    private var states: [Int: State] = [:]

    private static let collections: Set<String> = ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"]
    private static let dictionaries: Set<String> = ["NSDictionary", "NSMutableDictionary"]
    /// Deeper archives could not be read without overflowing a thread's stack.
    private static let deepest = 200

    /// - Returns: Whether the root of an archive can be read.
    static func isSound(_ list: BinaryPropertyList) -> Bool {
        guard case .dictionary(let keys, let values) = list.objects[list.top],
            let objects = value("$objects", keys, values, list), case .array(let indexes) = list.objects[objects],
            let top = value("$top", keys, values, list), case .dictionary(let names, let roots) = list.objects[top],
            let root = value("root", names, roots, list), case .uid(let number) = list.objects[root]
        else { return false }
        var check = KeyedArchiveCheck(list: list, objects: indexes)
        return check.isSound(number, depth: 0)
    }

    private init(list: BinaryPropertyList, objects: [Int]) {
        self.list = list
        self.objects = objects
    }

    private static func value(_ name: String, _ keys: [Int], _ values: [Int], _ list: BinaryPropertyList) -> Int? {
        zip(keys, values).first { list.objects[$0.0] == .string(name) }?.1
    }

    private func object(_ number: Int) -> BinaryPropertyList.Object? {
        objects.indices.contains(number) ? list.objects[objects[number]] : nil
    }

    /// Whether an object is there and can be read. The first one is `$null`, which is no object.
    private mutating func isSound(_ number: Int, depth: Int) -> Bool {
        guard number != 0, depth < Self.deepest, let object = object(number) else { return false }
        guard case .dictionary(let keys, let values) = object else { return isPlain(object) }
        switch states[number] {
        case .sound: return true
        case .underWay: return false
        case nil: break
        }
        states[number] = .underWay
        guard areUnique(keys), let name = className(keys, values), isSound(keys, values, of: name, depth: depth)
        else { return false }
        states[number] = .sound
        return true
    }

    /// Whether all keys are strings, and different: which of two values of one key counts is not said anywhere.
    private func areUnique(_ keys: [Int]) -> Bool {
        var names = Set<String>()
        return keys.allSatisfy { key in
            guard case .string(let name) = list.objects[key] else { return false }
            return names.insert(name).inserted
        }
    }

    /// Whether a value that stands for itself is one that an object can be.
    private func isPlain(_ object: BinaryPropertyList.Object) -> Bool {
        switch object {
        case .bool, .integer, .real, .date, .data, .string: true
        case .null, .uid, .array, .dictionary: false
        }
    }

    private func className(_ keys: [Int], _ values: [Int]) -> String? {
        guard let reference = Self.value("$class", keys, values, list), case .uid(let number) = list.objects[reference],
            case .dictionary(let classKeys, let classValues)? = object(number),
            let name = Self.value("$classname", classKeys, classValues, list),
            case .string(let string) = list.objects[name],
            let chain = Self.value("$classes", classKeys, classValues, list),
            case .array(let names) = list.objects[chain], let first = names.first,
            list.objects[first] == .string(string),
            names.allSatisfy({ if case .string = list.objects[$0] { true } else { false } })
        else { return nil }
        return string
    }

    private mutating func isSound(_ keys: [Int], _ values: [Int], of name: String, depth: Int) -> Bool {
        if Self.dictionaries.contains(name) {
            guard let names = members("NS.keys", keys, values), let objects = members("NS.objects", keys, values),
                names.count == objects.count
            else { return false }
            return areSound(names, depth) && areSound(objects, depth)
        }
        if Self.collections.contains(name) {
            guard let objects = members("NS.objects", keys, values) else { return false }
            return areSound(objects, depth)
        }
        // What a class of another kind holds is its own: a reference to nothing is nil there.
        for value in values {
            switch list.objects[value] {
            case .uid(let number):
                guard number == 0 || isClass(number) || isSound(number, depth: depth + 1) else { return false }
            case .array: guard members(list.objects[value]).map({ areSound($0, depth) }) ?? true else { return false }
            default: break
            }
        }
        return true
    }

    private func isClass(_ number: Int) -> Bool {
        guard case .dictionary(let keys, let values)? = object(number) else { return false }
        return Self.value("$classname", keys, values, list) != nil
    }

    private mutating func areSound(_ numbers: [Int], _ depth: Int) -> Bool {
        for number in numbers where !isSound(number, depth: depth + 1) { return false }
        return true
    }

    private func members(_ name: String, _ keys: [Int], _ values: [Int]) -> [Int]? {
        Self.value(name, keys, values, list).flatMap { members(list.objects[$0]) }
    }

    /// The numbers of the objects that an array refers to; `nil` when it has anything else.
    private func members(_ object: BinaryPropertyList.Object) -> [Int]? {
        guard case .array(let indexes) = object else { return nil }
        var numbers: [Int] = []
        for index in indexes {
            guard case .uid(let number) = list.objects[index] else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
