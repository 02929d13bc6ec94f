#if !canImport(ObjectiveC)
import Foundation

extension ArchiveReader {
    /// Deeper archives could not be read without overflowing a thread's stack.
    private static var deepest: Int { 200 }

    /// The object that a member refers to; nil for a reference to `$null`.
    func referenced(_ member: BinaryPropertyList.Object) throws -> Any? {
        guard case .uid(let number) = member else {
            throw ModelError.corrupt("A member of the archive isn't a reference to an object.")
        }
        return try object(number)
    }

    /// The objects that a member refers to, of which none is `$null`.
    func elements(_ key: String) throws -> [Any] {
        guard case .array(let indexes)? = member(key) else {
            throw ModelError.corrupt("An object of the archive has no \(key).")
        }
        return try indexes.map { try element(list.objects[$0]) }
    }

    func element(_ member: BinaryPropertyList.Object) throws -> Any {
        guard let element = try referenced(member) else {
            throw ModelError.corrupt("A collection of the archive lacks an element.")
        }
        return element
    }

    /// The members of the next unnamed member, an array of numbers.
    func unnamedArray() -> (keys: [Int], values: [Int])? {
        guard case .uid(let number)? = nextMember(), objects.indices.contains(number),
            case .dictionary(let keys, let values) = list.objects[objects[number]]
        else { return nil }
        return (keys, values)
    }

    private func object(_ number: Int) throws -> Any? {
        guard objects.indices.contains(number) else {
            throw ModelError.corrupt("The archive refers to object \(number), which doesn't exist.")
        }
        switch states[number] {
        case .made(let object, let size):
            try spend(size)
            return object
        case .underWay: throw ModelError.corrupt("Object \(number) of the archive holds itself.")
        case .untouched: break
        }
        let value = list.objects[objects[number]]
        if case .string("$null") = value { return nil }
        guard case .dictionary(let keys, let values) = value else {
            guard let plain = Self.plain(value) else {
                throw ModelError.corrupt("Object \(number) of the archive is of an unknown kind.")
            }
            states[number] = .made(plain, size: 1)
            try spend(1)
            return plain
        }
        return try made(number, Frame(keys: keys, values: values))
    }

    private func made(_ number: Int, _ frame: Frame) throws -> Any {
        guard frames.count < Self.deepest else { throw ModelError.corrupt("The archive is nested too deeply.") }
        let type = try type(of: frame, number)
        let wasDamaged = failure != nil
        states[number] = .underWay
        frames.append(frame)
        let result = Result { try make(type) }
        let size = frames.removeLast().size
        if let failure, !wasDamaged { throw failure }
        let object = try result.get()
        states[number] = .made(object, size: size)
        try spend(size)
        return object
    }

    /// Counts the parts of an object: a small archive can be a tower of objects each of which contains the next one
    /// twice, and comparing two such towers never ends.
    private func spend(_ size: Int) throws {
        guard frames[frames.count - 1].size + size <= 1_000_000 + objects.count * 64 else {
            throw ModelError.corrupt("The archive refers to the same objects too many times.")
        }
        frames[frames.count - 1].size += size
    }

    private func type(of frame: Frame, _ number: Int) throws -> ArchivedType {
        guard let reference = list.value("$class", frame.keys, frame.values),
            case .uid(let record) = list.objects[reference], objects.indices.contains(record),
            case .dictionary(let keys, let values) = list.objects[objects[record]],
            let name = list.value("$classname", keys, values), case .string(let className) = list.objects[name]
        else { throw ModelError.corrupt("Object \(number) of the archive has no class.") }
        guard let type = ArchivedType(className) else {
            throw ModelError.corrupt("Object \(number) of the archive is a \(className), which can't be read here.")
        }
        guard allowances.last?.allows(type.type) == true else {
            throw ModelError.corrupt(
                "Object \(number) of the archive is a \(className), which is not allowed there.")
        }
        return type
    }

    private static func plain(_ value: BinaryPropertyList.Object) -> NSObject? {
        switch value {
        case .string(let string): NSString(string: string)
        case .data(let data): NSData(data: data)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .null, .uid, .array, .dictionary: nil
        case .bool, .integer, .wide, .single, .real: value.number
        }
    }
}

extension BinaryPropertyList {
    /// The index of a dictionary's value.
    func value(_ name: String, _ keys: [Int], _ values: [Int]) -> Int? {
        for (index, key) in keys.enumerated() {
            if case .string(let string) = objects[key], string == name { return values[index] }
        }
        return nil
    }
}
#endif
