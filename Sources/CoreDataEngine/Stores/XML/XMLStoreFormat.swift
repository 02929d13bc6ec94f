import Foundation

/// Apple's XML: a `database` of a `databaseInfo` and one `object` for each row.
enum XMLStoreFormat: AtomicFileFormat {
    static let storeType = NSXMLStoreType
    /// The first object of a new file is `z102`.
    static let firstNumber: Int64 = 101
    static let version = "134481920"
    static let mostElements = 100_000_000
    private static let endOfInfo = Data("</databaseInfo>".utf8)

    /// Entities are written in capitals and properties in small letters, so names must differ in more than that.
    static func check(_ entities: [EntityLayout]) throws {
        if let name = firstDuplicate(entities.map { $0.name.uppercased() }) {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "An XML store can't have several entities whose names differ only in case: \(name).")
        }
        for entity in entities {
            let names = entity.slots.compactMap { $0?.name } + entity.relationships.filter(\.isToMany).map(\.name)
            if let name = firstDuplicate(names.map { $0.lowercased() }) {
                throw CoreDataError.make(
                    NSPersistentStoreIncompatibleSchemaError,
                    "An XML store can't have several properties of \(entity.name) whose names differ only in case: \(name)."
                )
            }
        }
    }

    private static func firstDuplicate(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }

    // MARK: Reading

    static func content(of data: Data, layout: ModelLayout) throws -> AtomicFileContent {
        let root = try database(data)
        let (metadata, last) = try info(of: root)
        var reader = XMLObjectReader(layout: layout)
        try reader.read(root.children.filter { $0.name == "object" })
        return AtomicFileContent(
            metadata: metadata, lastNumber: max(last, reader.highest, firstNumber), contents: reader.contents)
    }

    static func metadata(of data: Data) throws -> [String: Any] {
        try info(of: database(data)).metadata
    }

    private static func database(_ data: Data) throws -> SourceElement {
        do {
            let root = try SourceXMLParser.parse(data, mostElements: mostElements)
            guard root.name == "database" else {
                throw damaged("it begins with <\(root.name)> and not with <database>")
            }
            return root
        } catch {
            throw damaged(error.localizedDescription)
        }
    }

    private static func info(of root: SourceElement) throws -> (metadata: [String: Any], lastNumber: Int64) {
        guard let info = root.children.first(where: { $0.name == "databaseInfo" }) else {
            throw damaged("there is no <databaseInfo>")
        }
        func string(_ name: String) -> String? {
            info.children.first { $0.name == name }?.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard let uuid = string("UUID"), !uuid.isEmpty else { throw damaged("the <databaseInfo> has no <UUID>") }
        guard let last = Int64(string("nextObjectID") ?? "0"), last >= 0 else {
            throw damaged("the <nextObjectID> isn't a number")
        }
        var metadata: [String: Any] = [:]
        let list = info.children.first { $0.name == "metadata" }?.children.first { $0.name == "plist" }
        if let content = list?.children.first {
            guard let values = try PropertyListFile.value(content) as? [String: Any] else {
                throw damaged("the metadata isn't a dictionary")
            }
            metadata = values
        }
        metadata[NSStoreUUIDKey] = uuid
        metadata[NSStoreTypeKey] = storeType
        return (metadata, last)
    }

    // MARK: Writing

    static func data(of content: AtomicFileContent) throws -> Data {
        var writer = XMLObjectWriter(contents: content.contents)
        try writer.writeAll()
        return try head(metadata: content.metadata, lastNumber: content.lastNumber)
            + Data("\n".utf8) + writer.output + Data("</database>\n".utf8)
    }

    private static func head(metadata: [String: Any], lastNumber: Int64) throws -> Data {
        var list = metadata
        list[NSStoreUUIDKey] = nil
        list[NSStoreTypeKey] = nil
        var writer = XMLPropertyListWriter(depth: 4)
        try writer.write(list)
        let xml = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>\(version)</version>
                    <UUID>\(XMLText.escaped(metadata[NSStoreUUIDKey] as? String ?? UUID().uuidString))</UUID>
                    <nextObjectID>\(lastNumber)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """
        return Data((xml + writer.output + "            </plist>\n        </metadata>\n    </databaseInfo>").utf8)
    }

    static func data(_ data: Data, replacingMetadata metadata: [String: Any]) throws -> Data {
        let (old, last) = try info(of: database(data))
        var metadata = metadata
        if metadata[NSStoreUUIDKey] == nil { metadata[NSStoreUUIDKey] = old[NSStoreUUIDKey] }
        return try head(metadata: metadata, lastNumber: last) + objects(in: data)
    }

    static func objects(in data: Data) throws -> Data {
        guard let end = data.range(of: endOfInfo) else { throw damaged("the <databaseInfo> does not end") }
        return data[end.upperBound...]
    }
}
