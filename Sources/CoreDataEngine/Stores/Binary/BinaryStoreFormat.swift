import Foundation

/// The engine's own layout, as Apple's is not known: a head, then two binary property lists, metadata and objects.
///
/// Head, integers with the lowest byte first: `CoreData`, the layout's version (4 bytes, 1), zero (4), the length of the
/// metadata (8), the length of the objects (8), SHA-256 of both lists (32).
///
/// The objects are a dictionary: `lastNumber`; `objects`, an array of dictionaries with `entity`, `id`, `values` by
/// attribute, and `relationships`, arrays of ids by name. Dates are numbers (seconds since 2001), UUIDs 16 bytes, URIs
/// and decimals strings, transformables their archives.
enum BinaryStoreFormat: AtomicFileFormat {
    static let storeType = NSBinaryStoreType
    static let firstNumber: Int64 = 0
    private static let magic = Data("CoreData".utf8)
    private static let version: UInt32 = 1
    private static let headLength = 64

    static func check(_ entities: [EntityLayout]) throws {}

    // MARK: Reading

    static func content(of data: Data, layout: ModelLayout) throws -> AtomicFileContent {
        let (metadata, objects) = try lists(in: data)
        var reader = BinaryObjectReader(layout: layout)
        let list = try dictionary(objects)
        guard let last = BinaryObjectReader.integer(list["lastNumber"]), last >= 0, let rows = list["objects"] as? [Any]
        else { throw damaged("the list of objects is not there") }
        try reader.read(rows)
        return AtomicFileContent(
            metadata: try dictionary(metadata), lastNumber: max(last, reader.highest), contents: reader.contents)
    }

    static func metadata(of data: Data) throws -> [String: Any] {
        try dictionary(lists(in: data).metadata)
    }

    static func objects(in data: Data) throws -> Data { try lists(in: data).objects }

    private static func dictionary(_ data: Data) throws -> [String: Any] {
        do {
            return try PropertyListFile.readDictionary(data)
        } catch {
            throw damaged(error.localizedDescription)
        }
    }

    /// The two lists, once head and hash were found right.
    private static func lists(in data: Data) throws -> (metadata: Data, objects: Data) {
        let data = data.startIndex == 0 ? data : Data(data)
        guard data.starts(with: magic) else {
            throw CoreDataError.make(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The file isn't a binary store of this framework. Apple's format isn't published and can't be read.")
        }
        guard data.count >= headLength else { throw damaged("its header is cut off") }
        func integer(at offset: Int, bytes: Int) -> UInt64 {
            data[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard integer(at: 8, bytes: 4) == UInt64(version) else {
            throw damaged("its layout has the version \(integer(at: 8, bytes: 4)), which is not known")
        }
        guard integer(at: 12, bytes: 4) == 0 else { throw damaged("its header has reserved bytes that aren't 0") }
        let metadataLength = integer(at: 16, bytes: 8)
        let objectsLength = integer(at: 24, bytes: 8)
        let length = UInt64(data.count - headLength)
        guard metadataLength <= length, objectsLength == length - metadataLength else {
            throw damaged("it is \(data.count) bytes long, but its header gives another length")
        }
        let body = data[headLength...]
        guard SHA256.hash(body) == data[32..<64] else {
            throw damaged("its bytes are not those that were written")
        }
        let border = headLength + Int(metadataLength)
        return (Data(data[headLength..<border]), Data(data[border...]))
    }

    // MARK: Writing

    static func data(of content: AtomicFileContent) throws -> Data {
        var writer = BinaryObjectWriter(contents: content.contents)
        return try file(
            metadata: list(of: content.metadata), objects: try writer.data(lastNumber: content.lastNumber))
    }

    static func data(_ data: Data, replacingMetadata metadata: [String: Any]) throws -> Data {
        let (old, objects) = try lists(in: data)
        var metadata = metadata
        if metadata[NSStoreUUIDKey] == nil { metadata[NSStoreUUIDKey] = try dictionary(old)[NSStoreUUIDKey] }
        return try file(metadata: list(of: metadata), objects: objects)
    }

    private static func list(of metadata: [String: Any]) throws -> Data {
        let metadata = metadata.mapValues { value in (value as? Set<AnyHashable>)?.map(\.base) ?? value }
        guard PropertyListSerialization.propertyList(metadata, isValidFor: .binary) else {
            throw CoreDataError.make(
                CocoaError.Code.propertyListWriteInvalid.rawValue,
                "The metadata has a value that a property list can't contain.")
        }
        return try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
    }

    private static func file(metadata: Data, objects: Data) throws -> Data {
        var head = magic
        func append(_ number: UInt64, bytes: Int) {
            for byte in 0..<bytes { head.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))) }
        }
        append(UInt64(version), bytes: 4)
        append(0, bytes: 4)
        append(UInt64(metadata.count), bytes: 8)
        append(UInt64(objects.count), bytes: 8)
        head.reserveCapacity(headLength + metadata.count + objects.count)
        head.append(SHA256.hash([metadata, objects]))
        head.append(metadata)
        head.append(objects)
        return head
    }
}
