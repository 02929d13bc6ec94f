#if !canImport(ObjectiveC)
import Foundation

/// Reads a keyed archive of which nothing is known but that it may be damaged.
///
/// Foundation's unarchiver stops the program at many damaged archives off Apple's systems: at a reference to an object
/// of another class than the one that is requested, at a circle, at an object that lacks a member. So the archive is
/// read here. Objects of the usual classes are made without Foundation's `init(coder:)`; those of others are given
/// this coder, which answers with nil or zero what the archive doesn't have, and remembers that it is damaged.
final class ArchiveReader: NSCoder {
    /// Which classes an object may have.
    enum Allowance {
        case rule((AnyClass) -> Bool)
        case classes([AnyClass])

        func allows(_ type: AnyClass) -> Bool {
            switch self {
            case .rule(let allows): allows(type)
            case .classes(let classes): ArchivedClasses.isKind(type, ofAny: classes)
            }
        }
    }

    /// The members of the object that is being read.
    struct Frame {
        let keys: [Int]
        let values: [Int]
        /// How many members without a name were read.
        var unnamedCount = 0
        /// How many objects the object consists of, those counted again that it holds more than once.
        var size = 1
    }

    enum State {
        case untouched
        /// Finding it again means that the archive has a cycle.
        case underWay
        case made(Any, size: Int)
    }

    let list: BinaryPropertyList
    /// The indexes of the archive's objects in the list.
    let objects: [Int]
    var states: [State]
    var frames: [Frame] = []
    var allowances: [Allowance]
    /// One for all: two are equal, and have different hashes.
    let null = NSNull()
    /// The first damage that was found. Reading continues after it, because classes may assume that an object
    /// exists; the result isn't used.
    private(set) var failure: (any Error)?

    /// Reads the root of an archive.
    ///
    /// - Throws: An error that says what is damaged, or which class is not allowed.
    static func root(of data: Data, isAllowed: @escaping (AnyClass) -> Bool) throws -> Any? {
        let reader = try ArchiveReader(try BinaryPropertyList(data), .rule(isAllowed))
        let root = reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        if let failure = reader.failure { throw failure }
        return root
    }

    private init(_ list: BinaryPropertyList, _ allowance: Allowance) throws {
        guard case .dictionary(let keys, let values) = list.objects[list.top],
            let table = list.value("$objects", keys, values), case .array(let objects) = list.objects[table],
            let top = list.value("$top", keys, values), case .dictionary(let names, let roots) = list.objects[top]
        else { throw ModelError.corrupt("The data is not a keyed archive.") }
        self.list = list
        self.objects = objects
        states = Array(repeating: .untouched, count: objects.count)
        allowances = [allowance]
        frames = [Frame(keys: names, values: roots)]
    }

    /// The member of a name of the object that is being read.
    func member(_ key: String) -> BinaryPropertyList.Object? {
        guard let frame = frames.last else { return nil }
        let name = key.hasPrefix("$") ? "$" + key : key
        return list.value(name, frame.keys, frame.values).map { list.objects[$0] }
    }

    /// The next member without a name.
    func nextMember() -> BinaryPropertyList.Object? {
        guard let frame = frames.last else { return nil }
        frames[frames.count - 1].unnamedCount += 1
        return list.value("$\(frame.unnamedCount)", frame.keys, frame.values).map { list.objects[$0] }
    }

    private func object(in member: BinaryPropertyList.Object?) -> Any? {
        guard let member else { return nil }
        do {
            return try referenced(member)
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    private func object(in member: BinaryPropertyList.Object?, of classes: [AnyClass]?) -> Any? {
        guard let classes else { return nil }
        allowances.append(.classes(classes))
        defer { allowances.removeLast() }
        return object(in: member)
    }

    // MARK: What coders have

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var decodingFailurePolicy: DecodingFailurePolicy { .setErrorAndReturn }
    override var systemVersion: UInt32 { 2000 }
    override var error: (any Error)? { failure }
    override var allowedClasses: [AnyClass]? {
        if case .classes(let classes)? = allowances.last { classes } else { ArchivedClasses.plain }
    }

    override func failWithError(_ error: any Error) { failure = failure ?? error }

    override func containsValue(forKey key: String) -> Bool { member(key) != nil }

    override func decodeObject(forKey key: String) -> Any? { object(in: member(key)) }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        object(in: member(key), of: classes)
    }

    override func decodeObject() -> Any? { object(in: nextMember()) }

    override func decodePropertyList(forKey key: String) -> Any? {
        object(in: member(key), of: ArchivedClasses.propertyList)
    }

    override func decodePropertyList() -> Any? { object(in: nextMember(), of: ArchivedClasses.propertyList) }

    override func decodeData() -> Data? { decodeObject() as? Data }

    override func decodeBool(forKey key: String) -> Bool { member(key)?.number?.boolValue ?? false }
    override func decodeCInt(forKey key: String) -> Int32 { decodeInt32(forKey: key) }
    override func decodeInt32(forKey key: String) -> Int32 { Int32(truncatingIfNeeded: decodeInt64(forKey: key)) }
    override func decodeInt64(forKey key: String) -> Int64 { member(key)?.wholeNumber ?? 0 }
    override func decodeInteger(forKey key: String) -> Int { Int(decodeInt64(forKey: key)) }
    override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
    override func decodeDouble(forKey key: String) -> Double { member(key)?.number?.doubleValue ?? 0 }

    override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        guard case .data(let data)? = member(key) else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0) }
    }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        guard case .data(let data)? = member(key) else { return try body(nil) }
        return try data.withUnsafeBytes { try body($0.bindMemory(to: UInt8.self)) }
    }

    override func version(forClassName className: String) -> Int { NSNotFound }

    override func decodeValue(ofObjCType type: UnsafePointer<CChar>, at address: UnsafeMutableRawPointer) {
        let encoding = String(cString: type)
        if encoding == "@" {
            if let object = decodeObject() { address.assumingMemoryBound(to: Any.self).pointee = object }
        } else if let scalar = encoding.utf8.first, encoding.utf8.count == 1 {
            store(nextMember(), as: scalar, at: address)
        } else {
            storeArray(encoding, at: address)
        }
    }
}
#endif
